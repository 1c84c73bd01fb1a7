//! Tags of templates (language 8.2 and 10.7 of the expression chapter).

use super::{Named, named};

/// Tags of pongo templates, closing and middle ones included.
pub const TAGS: &[Named] = &[
    named(
        "if",
        "{% if condition %}…{% endif %}",
        "Shows its body when the condition holds.",
    ),
    named("elif", "{% elif condition %}", "Another condition of an `if`."),
    named("else", "{% else %}", "What is shown otherwise."),
    named("endif", "{% endif %}", "Ends an `if`."),
    named(
        "for",
        "{% for x in list [reversed] [sorted] %}…{% endfor %}",
        "Repeats its body for every element.",
    ),
    named(
        "empty",
        "{% empty %}",
        "What a `for` shows when there is nothing to repeat.",
    ),
    named("endfor", "{% endfor %}", "Ends a `for`."),
    named(
        "with",
        "{% with name=value %}…{% endwith %}",
        "Names a value inside its body.",
    ),
    named("endwith", "{% endwith %}", "Ends a `with`."),
    named("set", "{% set name = value %}", "Names a value from here on."),
    named(
        "include",
        "{% include \"file\" [with name=value … [only]] %}",
        "Shows another template here.",
    ),
    named(
        "extends",
        "{% extends \"file\" %}",
        "Fills the blocks of another template.",
    ),
    named(
        "block",
        "{% block name %}…{% endblock %}",
        "A part that an extending template may replace.",
    ),
    named("endblock", "{% endblock %}", "Ends a `block`."),
    named(
        "macro",
        "{% macro name(a, b=\"x\") [export] %}…{% endmacro %}",
        "A piece of template that can be called.",
    ),
    named("endmacro", "{% endmacro %}", "Ends a `macro`."),
    named(
        "import",
        "{% import \"file\" name [as other], … %}",
        "Makes the exported macros of another template callable.",
    ),
    named("comment", "{% comment %}…{% endcomment %}", "Shows nothing."),
    named("endcomment", "{% endcomment %}", "Ends a `comment`."),
    named(
        "verbatim",
        "{% verbatim %}…{% endverbatim %}",
        "Shows its body as it is written.",
    ),
    named("endverbatim", "{% endverbatim %}", "Ends a `verbatim`."),
    named(
        "firstof",
        "{% firstof a b … %}",
        "Shows the first value that is not empty.",
    ),
    named(
        "cycle",
        "{% cycle a b … [as name [silent]] %}",
        "Shows one of the values after the other, a round each time.",
    ),
    named(
        "ifchanged",
        "{% ifchanged [values…] %}…{% endifchanged %}",
        "Shows its body when it is not what it was the last time.",
    ),
    named("endifchanged", "{% endifchanged %}", "Ends an `ifchanged`."),
    named(
        "ifequal",
        "{% ifequal a b %}…{% endifequal %}",
        "Shows its body when both values are equal.",
    ),
    named("endifequal", "{% endifequal %}", "Ends an `ifequal`."),
    named(
        "ifnotequal",
        "{% ifnotequal a b %}…{% endifnotequal %}",
        "Shows its body when the values differ.",
    ),
    named("endifnotequal", "{% endifnotequal %}", "Ends an `ifnotequal`."),
    named(
        "filter",
        "{% filter name[:argument][|…] %}…{% endfilter %}",
        "Sends its body through filters.",
    ),
    named("endfilter", "{% endfilter %}", "Ends a `filter`."),
    named(
        "spaceless",
        "{% spaceless %}…{% endspaceless %}",
        "Removes white space between HTML tags.",
    ),
    named("endspaceless", "{% endspaceless %}", "Ends a `spaceless`."),
    named(
        "autoescape",
        "{% autoescape on|off %}…{% endautoescape %}",
        "Escapes HTML in its body, or does not.",
    ),
    named("endautoescape", "{% endautoescape %}", "Ends an `autoescape`."),
    named(
        "templatetag",
        "{% templatetag openblock %}",
        "Shows one of the delimiters of templates.",
    ),
    named(
        "widthratio",
        "{% widthratio value max width [as name] %}",
        "Scales a value, as for the width of a bar.",
    ),
    named("now", "{% now \"layout\" %}", "Shows the time of rendering."),
    named(
        "lorem",
        "{% lorem [count] [w|p|b] [random] %}",
        "Shows placeholder text.",
    ),
    named("ssi", "{% ssi \"file\" [parsed] %}", "Shows a file as it is."),
];

/// Block words of brace templates.
pub const TAGS_T: &[Named] = &[
    named(
        "if",
        "{{ if condition }}…{{ end }}",
        "Shows its body when the condition holds.",
    ),
    named(
        "else",
        "{{ else }}",
        "What is shown otherwise; what stands behind the word is ignored.",
    ),
    named(
        "range",
        "{{ range list }}…{{ end }}",
        "Repeats its body; `.name` is a member of the element.",
    ),
    named("end", "{{ end }}", "Ends an `if` or a `range`."),
];
