//! Scenarios from files and texts.

use std::fs;
use std::path::{Path, PathBuf};

use scenario::document::folder;
use scenario::scenario::Surroundings;

use crate::{Error, Scenario};

/// Reads scenarios with settings, as the command line does with `--set PATH=VALUE`.
///
/// ```
/// # const TEXT: &str = include_str!("../examples/two-senders.toml");
/// # fn main() -> Result<(), cellrelay::Error> {
/// use cellrelay::{Duration, Loader};
///
/// let scenario = Loader::new()
///     .set("duration", "2 s")
///     .set("switch.s1.buffer.per_output", "100 cells")
///     .text(TEXT)?;
/// assert_eq!(scenario.duration(), Duration::from_ms(2000));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Loader {
    settings: Vec<(String, String)>,
    folder: Option<PathBuf>,
    most_nodes: Option<u64>,
}

impl Loader {
    /// A loader without settings.
    pub fn new() -> Loader {
        Loader::default()
    }

    /// Replaces the value at a path such as `switch.s1.buffer.per_output`; a later setting replaces
    /// an earlier one.
    ///
    /// The value is a TOML value if the text is one, and the text itself otherwise, so that
    /// `100 cells` needs no quotes.
    #[must_use]
    pub fn set(mut self, path: impl Into<String>, value: impl Into<String>) -> Loader {
        self.settings.push((path.into(), value.into()));
        self
    }

    /// The folder in which a scenario text may name files; without it, a text may name none. A
    /// scenario file may name files in its own folder.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Loader {
        self.folder = Some(folder.into());
        self
    }

    /// Refuses scenarios of more nodes than this, for scenarios from untrusted sources.
    #[must_use]
    pub fn most_nodes(mut self, most: u64) -> Loader {
        self.most_nodes = Some(most);
        self
    }

    /// Reads a scenario file, which may name files in its folder and below.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read, and [`Error::Scenario`] with all mistakes of the
    /// scenario, at any point of its sweep, and of the settings.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Scenario, Error> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|error| Error::File {
            path: path.to_path_buf(),
            error,
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        self.read(&bytes, &path.display().to_string(), Some(folder))
    }

    /// Reads a scenario text in TOML, which messages call `scenario`.
    ///
    /// # Errors
    /// [`Error::Scenario`] with all mistakes of the scenario, at any point of its sweep, and of the
    /// settings.
    pub fn text(&self, text: &str) -> Result<Scenario, Error> {
        self.read(text.as_bytes(), "scenario", self.folder.as_deref())
    }

    fn read(&self, bytes: &[u8], name: &str, folder: Option<&Path>) -> Result<Scenario, Error> {
        let within = folder.unwrap_or(Path::new(""));
        let inside = |file: &str, most: usize| folder::read(within, file, most);
        let nowhere = Surroundings::default().open;
        let surroundings = Surroundings {
            settings: &self.settings,
            open: if folder.is_some() { &inside } else { nowhere },
            most_nodes: self.most_nodes,
        };
        let read = scenario::Scenario::read_bytes(bytes, name, &surroundings)?;
        Ok(Scenario::new(read))
    }
}
