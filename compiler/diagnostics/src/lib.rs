//! What is wrong, where and what to do: the diagnostic model, the registry of rules and the renderers.
