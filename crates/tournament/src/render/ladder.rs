//! Output formats of ladders.

use chrono::DateTime;
use duoforge_pictures::xml::escape;
use duoforge_rules::GameVariant;

use super::cells::{crosstable, elo, interval};
use super::{Form, html, ladder_svg, markdown, text};
use crate::{Ladder, LadderUnit};

/// Title of every ladder.
pub(super) const TITLE: &str = "Ladder";

/// Meaning of the ratings, below the tables.
const NOTES: [&str; 2] = [
    "Elo: joint estimate over all games with its 95 % interval; 0 is close to the mean of all players.",
    "Glicko-2: rating after the last event with two deviations.",
];

/// Meaning of the results of a variant with more than two seats.
const PAIRS: &str = "Each pair of seats of a game is one result, which the better place wins.";

impl Ladder {
    /// Renders the ladder, with a final newline.
    #[must_use]
    pub fn render(&self, form: Form) -> String {
        match form {
            Form::Text => as_text(self),
            Form::Markdown => as_markdown(self),
            Form::Json => {
                let json = serde_json::to_string(self);
                json.expect("ladders are made of texts and numbers") + "\n"
            }
            Form::Html => as_html(self),
            Form::Svg => ladder_svg::render(self),
        }
    }

    /// Contents of the ladder in words.
    pub(super) fn state(&self) -> String {
        let events = self.events.len();
        let mut parts = Vec::new();
        if self.variant != GameVariant::DUO.name() {
            parts.push(self.variant.clone());
        }
        parts.extend([
            format!("{events} event{}", plural(events as u64)),
            format!("{} rated game{}", self.games, plural(self.games)),
        ]);
        if self.open > 0 {
            parts.push(format!("{} without a result", self.open));
        }
        if self.self_play > 0 {
            let unit = match self.unit {
                LadderUnit::Version => "version",
                LadderUnit::Player => "player",
            };
            parts.push(format!("{} of a {unit} against itself", self.self_play));
        }
        parts.join(", ")
    }

    /// Meaning of the numbers, in sentences.
    fn notes(&self) -> Vec<&'static str> {
        let pairs = (self.seats > 2).then_some(PAIRS);
        pairs.into_iter().chain(NOTES).collect()
    }

    /// Title of the number of results.
    pub(super) const fn results_title(&self) -> &'static str {
        if self.seats > 2 { "results" } else { "games" }
    }

    /// Results of the competitors against each other.
    fn crosstable(&self) -> Vec<Vec<String>> {
        let labels = self.rungs.iter().map(|rung| rung.competitor.label());
        crosstable(&labels.collect::<Vec<_>>(), &self.cross)
    }
}

/// Plural ending of a noun after a number.
const fn plural(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

fn head<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Competitors, the best one first.
fn rungs(ladder: &Ladder) -> Vec<Vec<String>> {
    let names = [
        "",
        "player",
        "Elo",
        ladder.results_title(),
        "won",
        "drawn",
        "lost",
        "score",
        "Glicko-2",
        "events",
    ];
    let mut rows = vec![head(names)];
    rows.extend(ladder.rungs.iter().map(|rung| {
        vec![
            rung.place.to_string(),
            rung.competitor.label(),
            interval([rung.elo.elo, rung.elo.low, rung.elo.high]),
            rung.games.to_string(),
            rung.won.to_string(),
            rung.drawn.to_string(),
            rung.lost.to_string(),
            format!("{:.1} %", 100.0 * rung.score),
            format!("{:.0} ±{:.0}", rung.rating, 2.0 * rung.deviation),
            rung.history.len().to_string(),
        ]
    }));
    rows
}

/// Competitors that met.
fn meetings(ladder: &Ladder) -> Vec<Vec<String>> {
    let mut rows = vec![head(["player", "against", "won", "drawn", "lost", "Elo"])];
    rows.extend(ladder.meetings.iter().map(|meeting| {
        let [one, two] = &meeting.players;
        vec![
            one.label(),
            two.label(),
            meeting.games.won.to_string(),
            meeting.games.drawn.to_string(),
            meeting.games.lost.to_string(),
            elo(&meeting.elo),
        ]
    }));
    rows
}

/// Events, the oldest one first.
fn events(ladder: &Ladder) -> Vec<Vec<String>> {
    let mut rows = vec![head(["date", "event", "kind", "games", "state"])];
    rows.extend(ladder.events.iter().map(|event| {
        let time = i64::try_from(event.made_ms).ok();
        let time = time.and_then(DateTime::from_timestamp_millis);
        let state = if event.finished {
            "finished"
        } else {
            "in progress"
        };
        vec![
            time.map_or(String::new(), |time| time.format("%Y-%m-%d").to_string()),
            event.name.clone(),
            event.kind.clone(),
            event.games.to_string(),
            state.to_owned(),
        ]
    }));
    rows
}

fn as_text(ladder: &Ladder) -> String {
    let tables = [
        rungs(ladder),
        ladder.crosstable(),
        meetings(ladder),
        events(ladder),
    ];
    let mut out = format!("{TITLE}: {}\n", ladder.state());
    for table in tables {
        out.push('\n');
        out += &text::aligned(&table);
    }
    out + "\n" + &ladder.notes().join("\n") + "\n"
}

fn as_markdown(ladder: &Ladder) -> String {
    let mut out = format!("# {TITLE}\n\n{}.\n\n", ladder.state());
    out += &markdown::table(&rungs(ladder));
    for (title, table) in [
        ("Crosstable", ladder.crosstable()),
        ("Head to head", meetings(ladder)),
        ("Events", events(ladder)),
    ] {
        out += &format!("\n## {title}\n\n{}", markdown::table(&table));
    }
    out + "\n" + &ladder.notes().join(" ") + "\n"
}

fn as_html(ladder: &Ladder) -> String {
    let mut page = html::head(TITLE);
    page += &format!("<p>{}</p>\n", escape(&ladder.state()));
    page += &format!(
        "<div class=\"wide\">\n{}</div>\n",
        ladder_svg::render(ladder)
    );
    page += &html::table(&rungs(ladder));
    for (title, table) in [
        ("Crosstable", ladder.crosstable()),
        ("Head to head", meetings(ladder)),
        ("Events", events(ladder)),
    ] {
        page += &format!("<h2>{title}</h2>\n{}", html::table(&table));
    }
    page + &format!("<p>{}</p>\n</html>\n", escape(&ladder.notes().join(" ")))
}
