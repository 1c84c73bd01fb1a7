//! `agent_off_ramp: false` says no more than its absence; it counts until the fallback has looked at it
//! (`macros` 5.2, `language` 7.2).

use super::expansion::Expansion;
use super::rooms;

/// Removes every off-ramp that is switched off.
pub(super) fn normalise(cx: &mut Expansion<'_>) {
    for at in rooms::walk(&cx.story.manifest) {
        let off = |e: &crate::surface::MapEntry<_>| room_is_off(e);
        if rooms::entry(&cx.story.manifest, &at).is_some_and(off)
            && let Some(room) = rooms::room_mut(&mut cx.story.manifest, &at)
        {
            room.agent_off_ramp = None;
        }
    }
}

fn room_is_off(entry: &crate::surface::MapEntry<std::sync::Arc<crate::surface::Room>>) -> bool {
    entry.value.agent_off_ramp.as_ref().is_some_and(|r| !r.enabled)
}
