//! `kitsoki route`: what becomes of a text that a person writes in a story, and why. Nothing is executed, no model asked.

mod audit;
pub mod batch;
mod clock;
pub mod ground;
mod json;
mod text;

use kitsoki_expr::Value;
use kitsoki_routing::explain::{Lost, lost};
use kitsoki_routing::lex::Token;
use kitsoki_routing::menu::{self, MenuMatch};
use kitsoki_routing::{Decision, Outcome, Refusal, Routed, Services, Situation as _, Tier, route};
use kitsoki_runtime::{Standing, World};
use miette::miette;

use self::ground::{Loaded, Stories};
use crate::app::Exit;
use crate::args::{RouteArgs, Switch};
use crate::{discover, eval, output};

/// One text and all that is said about it.
struct Told<'a> {
    text: &'a str,
    place: &'a Standing<'a>,
    words: Vec<Token>,
    decision: Decision,
    /// The text is a row of the menu, or an example of one, but that is not how it was routed.
    unheard: Option<(String, MenuMatch)>,
    /// What the machine says to a submitted intent.
    then: Option<Result<(), Refusal>>,
    lost: Vec<Lost>,
}

/// Runs the command.
///
/// # Errors
/// When the story, the room or an argument cannot be used.
pub fn run(args: &RouteArgs) -> miette::Result<Exit> {
    let path = &discover::manifest(&args.path)?;
    let loaded = Stories::new()?.get(path).map_err(|message| {
        miette!(
            help = format!("`kitsoki check {}` shows it with its line", args.path),
            "the story has an error: {message}"
        )
    })?;
    if args.texts.is_empty() {
        output::print(&audit::page(&loaded, args.json))?;
        return Ok(Exit::Clean);
    }
    let place = place(args, &loaded)?;
    let services = Services {
        switch: args.semantic_routing.map(|switch| switch == Switch::On),
        now: match &args.now {
            None => clock::now(),
            Some(text) => clock::parse(text).ok_or_else(|| {
                miette!(
                    help = "write it as 2026-03-11T15:30:00Z",
                    "`{}` is no time",
                    output::visible(text)
                )
            })?,
        },
        ..Services::default()
    };
    let told: Vec<Told<'_>> = args
        .texts
        .iter()
        .filter_map(|text| tell(&loaded, &place, text, &services, args.lost))
        .collect();
    output::print(&if args.json {
        json::document(&loaded.phrases, &told)
    } else {
        text::page(&loaded.phrases, &told)
    })?;
    Ok(Exit::Clean)
}

fn place<'a>(args: &RouteArgs, loaded: &'a Loaded) -> miette::Result<Standing<'a>> {
    let mut world = loaded.world();
    lay_over(&mut world, &args.world)?;
    let place = match &args.state {
        Some(path) => Standing::at(&loaded.program, path, world),
        None => Standing::begin(&loaded.program, world),
    };
    place.map_err(|error| {
        let rooms = loaded.program.story.states.iter().map(|room| room.path.as_str());
        let near = args.state.as_ref().and_then(|wanted| {
            let near = kitsoki_compiler::rules::words::did_you_mean(wanted, rooms)?;
            Some(format!("a room with a similar name is `{near}`"))
        });
        let help = near.unwrap_or_else(|| "name a room by its path: `--state bar.dark`".to_owned());
        miette!(help = help, "{error}")
    })
}

fn lay_over(world: &mut World, values: &[String]) -> miette::Result<()> {
    for given in values {
        let (key, value) = given.split_once('=').ok_or_else(|| {
            miette!(
                help = "write it as `key=value`",
                "`{}` is no world value",
                output::visible(given)
            )
        })?;
        if world.get(key).is_none() {
            let keys: Vec<&str> = world.vars.sorted().into_iter().map(|(name, _)| name.as_str()).collect();
            let help = match kitsoki_compiler::rules::words::did_you_mean(key, keys) {
                Some(near) => format!("a world key with a similar name is `{near}`"),
                None => "the story declares its world keys under `world:`".to_owned(),
            };
            return Err(miette!(
                help = help,
                "no world key is called `{}`",
                output::visible(key)
            ));
        }
        let value = match serde_json::from_str(value) {
            Ok(json) => eval::from_json(&json, &mut Vec::new(), &[]),
            Err(_) => Value::text(value),
        };
        world.set(key, value);
    }
    Ok(())
}

fn tell<'a>(
    loaded: &Loaded,
    place: &'a Standing<'a>,
    text: &'a str,
    services: &Services<'_>,
    most: usize,
) -> Option<Told<'a>> {
    let phrases = &loaded.phrases;
    // Nobody is there to ask, so nothing is asked.
    let Routed::Decided(decision) = route(phrases, place, text, services) else {
        return None;
    };
    let then = match &decision.outcome {
        Outcome::Submit { intent, slots } => Some(place.dry_run(intent, slots).map(|_| ())),
        _ => None,
    };
    let row = menu::row(place, text).filter(|_| decision.tier != Tier::Deterministic);
    Some(Told {
        text,
        unheard: row.map(|(row, how)| (row.display.clone(), how)),
        place,
        words: phrases.lexer().tokens(text),
        lost: lost(phrases, place, text, services, &decision, most),
        decision: *decision,
        then,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORCHARD: &str = r#"
app: { id: orchard, version: "1" }
world: { ladder: { type: bool, default: false } }
intents:
  pick:
    title: Pick
    synonyms: ["pick {n} apples", "gather apples"]
    slots: { n: { type: int, required: true } }
  climb: { title: Climb, synonyms: ["up the tree"] }
  rest: { title: Rest }
root: grove
states:
  grove:
    view: Trees.
    on:
      pick: [{ target: grove }]
      climb: [{ when: world.ladder, target: grove }]
      rest: [{ target: grove }]
"#;

    /// What is said about a text in the orchard, for people and for programs.
    fn said(text: &str, world: &[&str]) -> (String, serde_json::Value) {
        let dir = tempfile::tempdir().unwrap();
        let path = camino::Utf8PathBuf::from_path_buf(dir.path().join("app.yaml")).unwrap();
        std::fs::write(&path, ORCHARD).unwrap();
        let loaded = Stories::new().unwrap().get(&path).unwrap();
        let mut values = loaded.world();
        let world: Vec<String> = world.iter().map(ToString::to_string).collect();
        lay_over(&mut values, &world).unwrap();
        let place = Standing::begin(&loaded.program, values).unwrap();
        let told = [tell(&loaded, &place, text, &Services::default(), 5).unwrap()];
        let document = json::document(&loaded.phrases, &told);
        (
            text::page(&loaded.phrases, &told),
            serde_json::from_str(&document).unwrap(),
        )
    }

    #[test]
    fn the_page_says_what_matched_and_why_others_lost() {
        let (page, document) = said("gather apples", &[]);
        let expected = "  text     gather apples
  room     grove
  routed   nowhere: a model is asked to interpret it
  by       no tier
  passed   synonym `gather apples` of pick (0.90): the intent requires a slot that the phrase does not fill
  way      phrases: passed on > turn cache: off > default intent: nothing > fallback: nothing
  words    gather appl
  lost     template `pick {n} apples` of pick: the text has no `pick`
";
        assert_eq!(page, expected);
        assert_eq!(document["texts"][0]["turn"]["deferred"]["why"], "required-slot");
        assert_eq!(document["texts"][0]["lost"][0]["why"], "lacks");
    }

    #[test]
    fn the_page_says_what_the_machine_thinks() {
        let (page, _) = said("pick two apples", &[]);
        assert!(page.contains("routed   to pick with n=2\n  by       the phrases, template `pick {n} apples`, 0.80\n  machine  takes it\n"), "{page}");
        let (page, document) = said("up the tree", &[]);
        assert!(page.contains("machine  refuses it: no arm matches"), "{page}");
        assert_eq!(document["texts"][0]["turn"]["then"], "GUARD_FAILED");
        let (page, _) = said("up the tree", &["ladder=true"]);
        assert!(page.contains("machine  takes it"), "{page}");
    }

    #[test]
    fn a_menu_label_that_does_not_count_is_noted() {
        let (page, document) = said("Rest", &[]);
        assert!(page.contains("note     `rest` is a row of the menu"), "{page}");
        assert_eq!(document["texts"][0]["menu"]["by"], "display");
    }
}
