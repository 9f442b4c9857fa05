//! Report as a standalone HTML page without external resources.

use duoforge_pictures::xml::escape;

use super::cells::{cross, elo, heads, row};
use crate::Report;

/// Readable on light and dark screens, and in print.
const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}\
    table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .6rem;border-bottom:1px solid #8888;\
    text-align:right;font-variant-numeric:tabular-nums}\
    td:nth-child(2),th:nth-child(2){text-align:left}.wide{overflow-x:auto}code{font-size:.8em}\
    :root{color-scheme:light dark}";

pub(super) fn render(report: &Report) -> String {
    let mut rows = vec![heads(report)];
    rows.extend(report.standings.iter().map(row));
    let mut page = head(&report.event);
    page += &format!("<p>{}</p>\n", escape(&report.state()));
    page += &table(&rows);
    page += "<h2>Crosstable</h2>\n";
    page += &table(&cross(report));
    if !report.pairings.is_empty() {
        let heads = ["", "player", "against", "pairs 0, ½, 1, 1½, 2", "Elo"];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        rows.extend((1..).zip(&report.pairings).map(|(number, pairing)| {
            let [one, two] = pairing.players.clone();
            let pairs: Vec<_> = pairing.pairs.0.iter().map(u64::to_string).collect();
            let number: u32 = number;
            vec![
                number.to_string(),
                one,
                two,
                pairs.join(", "),
                elo(&pairing.elo),
            ]
        }));
        page += "<h2>Pairs of games</h2>\n";
        page += &table(&rows);
    }
    if let Some(test) = report.test() {
        page += &format!("<p>{}</p>\n", escape(&test));
    }
    for player in &report.excluded {
        page += &format!("<p>{}</p>\n", escape(&player.line()));
    }
    page + &format!(
        "<p>Fingerprint <code>{}</code></p>\n</html>\n",
        report.fingerprint
    )
}

/// Beginning of a page, up to its heading.
pub(super) fn head(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n"
    )
}

/// Formats rows as a table, of which the first one is the head.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let mut html = "<div class=\"wide\"><table>\n".to_owned();
    for (number, row) in rows.iter().enumerate() {
        let tag = if number == 0 { "th" } else { "td" };
        let cells: Vec<String> = row
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)))
            .collect();
        html += &format!("<tr>{}</tr>\n", cells.concat());
    }
    html + "</table></div>\n"
}
