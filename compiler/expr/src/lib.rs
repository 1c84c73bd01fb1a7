//! The guard and template languages of stories: lexer, parser, types, evaluator and printing rules.
