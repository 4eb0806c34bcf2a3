//! `agent.yaml` as a tree that remembers where every key and value stands.
//!
//! Owns: reading YAML text, duplicate keys, documents, aliases. Must not know: which keys exist.

use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, Span};

use super::issue::{Issue, Place};

/// Nodes that a file may have; aliases count every time they are used, so a small file cannot grow.
const MAX_NODES: usize = 50_000;
/// Folders within folders.
const MAX_DEPTH: usize = 32;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// First character of the value.
    pub(crate) place: Place,
    /// The value.
    pub(crate) value: Yaml,
}

/// The three shapes of YAML.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Yaml {
    /// Text; `plain` when it was not quoted, so it may mean a number, a flag or null.
    Scalar {
        /// The text without quotes.
        text: String,
        /// Not quoted.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A mapping, in file order.
    Map(Vec<Entry>),
}

/// One key of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// The key as written.
    pub(crate) key: String,
    /// Where the key stands.
    pub(crate) place: Place,
    /// Its value.
    pub(crate) node: Node,
}

impl Node {
    /// Whether the value is empty, `~` or `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.value, Yaml::Scalar { text, plain: true } if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }
}

/// Reads one document. `Ok(None)` for a file without content. Duplicate keys are all listed in `issues`;
/// what cannot be read at all is the error.
pub(crate) fn parse(text: &str, issues: &mut Vec<Issue>) -> Result<Option<Node>, Issue> {
    let mut reader = Reader { parser: Parser::new_from_str(text), anchors: Vec::new(), nodes: 0, issues };
    loop {
        match reader.next()? {
            (Event::StreamStart | Event::DocumentStart(..) | Event::Comment(..) | Event::DocumentEnd, _) => {}
            (Event::StreamEnd, _) => return Ok(None),
            (event, span) => {
                let root = reader.node(event, span, 0)?;
                reader.finish()?;
                return Ok(Some(root));
            }
        }
    }
}

struct Reader<'t, 'i> {
    parser: Parser<'t, serde_saphyr::granit_parser::StrInput<'t>>,
    anchors: Vec<(usize, Node)>,
    nodes: usize,
    issues: &'i mut Vec<Issue>,
}

fn place(span: Span) -> Place {
    Place { line: span.start.line(), column: span.start.col() + 1 }
}

impl<'t> Reader<'t, '_> {
    fn next(&mut self) -> Result<(Event<'t>, Span), Issue> {
        loop {
            match self.parser.next_event() {
                Some(Ok((Event::Comment(..), _))) => {}
                Some(Ok(event)) => return Ok(event),
                Some(Err(error)) => {
                    let mark = error.marker();
                    let at = Place { line: mark.line(), column: mark.col() + 1 };
                    return Err(Issue::error("", at, format!("not valid YAML: {}", error.info())));
                }
                None => return Ok((Event::StreamEnd, Span::default())),
            }
        }
    }

    fn finish(&mut self) -> Result<(), Issue> {
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(()),
                (Event::DocumentStart(..), span) => {
                    return Err(Issue::error("", place(span), "a second YAML document; one is read"));
                }
                _ => {}
            }
        }
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Node, Issue> {
        let at = place(span);
        self.nodes += 1;
        if self.nodes > MAX_NODES || depth > MAX_DEPTH {
            return Err(Issue::error("", at, "the file is too large or too deeply nested"));
        }
        let (anchor, value) = match event {
            Event::Scalar(text, style, anchor, _) => {
                (anchor, Yaml::Scalar { text: text.into_owned(), plain: style == ScalarStyle::Plain })
            }
            Event::SequenceStart(_, anchor, _) => (anchor, Yaml::List(self.list(depth)?)),
            Event::MappingStart(_, anchor, _) => (anchor, Yaml::Map(self.map(depth)?)),
            Event::Alias(id) => return self.alias(id, at),
            _ => return Err(Issue::error("", at, "not valid YAML here")),
        };
        let node = Node { place: at, value };
        if anchor != 0 {
            self.anchors.push((anchor, node.clone()));
        }
        Ok(node)
    }

    fn alias(&mut self, id: usize, at: Place) -> Result<Node, Issue> {
        let found = self.anchors.iter().find(|(anchor, _)| *anchor == id).map(|(_, node)| node.clone());
        let node = found.ok_or_else(|| Issue::error("", at, "an alias inside its own anchor"))?;
        self.nodes += size(&node);
        Ok(Node { place: at, value: node.value })
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, Issue> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(items),
                (event, span) => items.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Vec<Entry>, Issue> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (event, span) = self.next()?;
            let at = place(span);
            let key = match event {
                Event::MappingEnd => return Ok(entries),
                Event::Scalar(text, ..) => text.into_owned(),
                _ => return Err(Issue::error("", at, "a key must be a plain word")),
            };
            let (event, span) = self.next()?;
            let node = self.node(event, span, depth + 1)?;
            match entries.iter().find(|entry| entry.key == key) {
                Some(first) => {
                    let message = format!("key `{key}` is given twice; first in line {}", first.place.line);
                    self.issues.push(Issue::error(&key, at, message));
                }
                None => entries.push(Entry { key, place: at, node }),
            }
        }
    }
}

fn size(node: &Node) -> usize {
    1 + match &node.value {
        Yaml::Scalar { .. } => 0,
        Yaml::List(items) => items.iter().map(size).sum(),
        Yaml::Map(entries) => entries.iter().map(|entry| size(&entry.node)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let mut issues = Vec::new();
        if let Err(issue) = parse(text, &mut issues) {
            issues.push(issue);
        }
        issues.iter().map(|i| format!("{}:{} {}", i.place.line, i.place.column, i.message)).collect()
    }

    #[test]
    fn places_are_one_based() {
        let mut issues = Vec::new();
        let root = parse("# top\nsearch:\n  alpha: 0.7\n", &mut issues).unwrap().unwrap();
        let Yaml::Map(entries) = &root.value else { panic!("a mapping") };
        let Yaml::Map(inner) = &entries[0].node.value else { panic!("a mapping") };
        assert_eq!(
            (inner[0].place, inner[0].node.place),
            (Place { line: 3, column: 3 }, Place { line: 3, column: 10 })
        );
        assert_eq!(issues, Vec::new());
    }

    #[test]
    fn duplicates_are_named_with_both_places() {
        assert_eq!(faults("a: 1\nb: 2\na: 3\n"), ["3:1 key `a` is given twice; first in line 1"]);
        assert_eq!(faults("a: 1\nb: 2\n"), Vec::<String>::new());
    }

    #[test]
    fn broken_text_is_one_fault_with_its_line() {
        let faults = faults("a: 1\nb: [1, 2\n");
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("not valid YAML"), "{faults:?}");
    }

    #[test]
    fn aliases_work_and_cannot_explode() {
        assert_eq!(faults("a: &x [1]\nb: *x\n"), Vec::<String>::new());
        let mut bomb = String::from("a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n");
        for n in 1..8 {
            let items = vec![format!("*a{}", n - 1); 10].join(",");
            bomb = format!("{bomb}a{n}: &a{n} [{items}]\n");
        }
        assert!(faults(&bomb)[0].contains("too large"));
    }

    #[test]
    fn empty_files_and_second_documents() {
        assert_eq!(parse("# nothing\n", &mut Vec::new()), Ok(None));
        assert!(faults("a: 1\n---\nb: 2\n")[0].contains("second YAML document"));
    }
}
