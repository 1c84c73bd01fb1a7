//! Placeholder text for the `lorem` tag.

use super::super::tree::LoremUnit;

/// The traditional text.
const PARAGRAPHS: [&str; 7] = [
    "Lorem ipsum dolor sit amet, consectetur adipisici elit, sed eiusmod tempor incidunt ut labore et dolore \
     magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquid ex ea \
     commodi consequat. Quis aute iure reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla \
     pariatur. Excepteur sint obcaecat cupiditat non proident, sunt in culpa qui officia deserunt mollit anim \
     id est laborum.",
    "Duis autem vel eum iriure dolor in hendrerit in vulputate velit esse molestie consequat, vel illum dolore \
     eu feugiat nulla facilisis at vero eros et accumsan et iusto odio dignissim qui blandit praesent luptatum \
     zzril delenit augue duis dolore te feugait nulla facilisi. Lorem ipsum dolor sit amet, consectetuer \
     adipiscing elit, sed diam nonummy nibh euismod tincidunt ut laoreet dolore magna aliquam erat volutpat.",
    "Ut wisi enim ad minim veniam, quis nostrud exerci tation ullamcorper suscipit lobortis nisl ut aliquip ex \
     ea commodo consequat. Duis autem vel eum iriure dolor in hendrerit in vulputate velit esse molestie \
     consequat, vel illum dolore eu feugiat nulla facilisis at vero eros et accumsan et iusto odio dignissim \
     qui blandit praesent luptatum zzril delenit augue duis dolore te feugait nulla facilisi.",
    "Nam liber tempor cum soluta nobis eleifend option congue nihil imperdiet doming id quod mazim placerat \
     facer possim assum. Lorem ipsum dolor sit amet, consectetuer adipiscing elit, sed diam nonummy nibh \
     euismod tincidunt ut laoreet dolore magna aliquam erat volutpat. Ut wisi enim ad minim veniam, quis \
     nostrud exerci tation ullamcorper suscipit lobortis nisl ut aliquip ex ea commodo consequat.",
    "Duis autem vel eum iriure dolor in hendrerit in vulputate velit esse molestie consequat, vel illum dolore \
     eu feugiat nulla facilisis.",
    "At vero eos et accusam et justo duo dolores et ea rebum. Stet clita kasd gubergren, no sea takimata \
     sanctus est Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam \
     nonumy eirmod tempor invidunt ut labore et dolore magna aliquyam erat, sed diam voluptua. At vero eos et \
     accusam et justo duo dolores et ea rebum. Stet clita kasd gubergren, no sea takimata sanctus est Lorem \
     ipsum dolor sit amet. Lorem ipsum dolor sit amet, consetetur sadipscing elitr, At accusam aliquyam diam \
     diam dolore dolores duo eirmod eos erat, et nonumy sed tempor et et invidunt justo labore Stet clita ea \
     et gubergren, kasd magna no rebum. sanctus sea sed takimata ut vero voluptua. est Lorem ipsum dolor sit \
     amet. Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor invidunt ut \
     labore et dolore magna aliquyam erat.",
    "Consetetur sadipscing elitr, sed diam nonumy eirmod tempor invidunt ut labore et dolore magna aliquyam \
     erat, sed diam voluptua. At vero eos et accusam et justo duo dolores et ea rebum. Stet clita kasd \
     gubergren, no sea takimata sanctus est Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet, consetetur \
     sadipscing elitr, sed diam nonumy eirmod tempor invidunt ut labore et dolore magna aliquyam erat, sed \
     diam voluptua. At vero eos et accusam et justo duo dolores et ea rebum. Stet clita kasd gubergren, no sea \
     takimata sanctus est Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet, consetetur sadipscing elitr, \
     sed diam nonumy eirmod tempor invidunt ut labore et dolore magna aliquyam erat, sed diam voluptua. At \
     vero eos et accusam et justo duo dolores et ea rebum. Stet clita kasd gubergren, no sea takimata sanctus \
     est Lorem ipsum dolor sit amet.",
];

/// The pieces of some words or paragraphs, with what stands between them.
pub(super) fn pieces(count: i64, unit: LoremUnit) -> impl Iterator<Item = &'static str> {
    let words: Vec<&'static str> = match unit {
        LoremUnit::Words => PARAGRAPHS
            .iter()
            .flat_map(|paragraph| paragraph.split_whitespace())
            .collect(),
        LoremUnit::Paragraphs | LoremUnit::Plain => PARAGRAPHS.to_vec(),
    };
    let between = if unit == LoremUnit::Words { " " } else { "\n" };
    let (open, close) = if unit == LoremUnit::Paragraphs {
        ("<p>", "</p>")
    } else {
        ("", "")
    };
    let count = usize::try_from(count).unwrap_or(0);
    words
        .into_iter()
        .cycle()
        .take(count)
        .enumerate()
        .flat_map(move |(index, piece)| [if index > 0 { between } else { "" }, open, piece, close])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_words_and_paragraphs() {
        assert_eq!(pieces(3, LoremUnit::Words).collect::<String>(), "Lorem ipsum dolor");
        assert_eq!(
            pieces(2, LoremUnit::Paragraphs).filter(|piece| *piece == "<p>").count(),
            2
        );
        assert_eq!(pieces(-1, LoremUnit::Plain).count(), 0);
    }
}
