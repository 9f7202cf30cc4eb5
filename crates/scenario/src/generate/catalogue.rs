//! Every table and choice of a scenario, each once and with a unique name.

use parameters::shape::{FamilyShape, Fields, Shape, Words};

/// The tables and choices, in the order in which they occur from the root.
pub struct Catalogue<'a> {
    items: Vec<NamedEntity<'a>>,
}

/// A table or a choice.
pub struct NamedEntity<'a> {
    /// Name of the item, unique in the catalogue.
    pub name: String,
    /// Paths at which it may be written.
    pub paths: Vec<String>,
    /// The table or choice.
    pub entity: Entity<'a>,
}

/// A table or choice with a name of its own.
#[derive(Clone, Copy)]
pub enum Entity<'a> {
    /// A table with fixed names.
    Record(&'a Fields),
    /// A table whose only key is the kind, as in `discard.tail_drop`.
    Family(&'a FamilyShape),
    /// One of several words.
    Words(&'a Words),
}

impl<'a> Catalogue<'a> {
    /// The catalogue of all tables and choices in `root`.
    pub fn of(root: &'a Shape) -> Catalogue<'a> {
        let mut catalogue = Catalogue { items: Vec::new() };
        catalogue.visit(root, "", "");
        catalogue
    }

    /// All items, in order.
    pub fn items(&self) -> &[NamedEntity<'a>] {
        &self.items
    }

    /// The item of `entity`.
    pub fn item(&self, entity: Entity<'_>) -> &NamedEntity<'a> {
        let mut items = self.items.iter();
        items
            .find(|item| item.entity.id() == entity.id())
            .expect("everything below the root is in the catalogue")
    }

    /// True if `item` holds the parameters of a member of a family, such as `tail_drop` of the
    /// discard policies: the reference describes it in the section of the family.
    pub fn is_kind(&self, item: &NamedEntity<'_>) -> bool {
        let takes = |shape: &Shape| match shape {
            Shape::Record(record) => Entity::Record(record).id() == item.entity.id(),
            _ => false,
        };
        self.items.iter().any(|other| match other.entity {
            Entity::Family(family) => family.kinds.iter().any(|kind| takes(&kind.shape)),
            _ => false,
        })
    }

    /// Moves an item that is known at `deeper`, and has just been met at the shorter `path`, to the
    /// end, with the items below it.
    fn raise(&mut self, deeper: &str, path: &str) {
        let known = std::mem::take(&mut self.items);
        let (mut raised, others): (Vec<_>, Vec<_>) = known.into_iter().partition(|item| {
            let first = &item.paths[0];
            first == path
                || first
                    .strip_prefix(deeper)
                    .is_some_and(|rest| rest.starts_with('.'))
        });
        for item in &mut raised {
            if let Some(rest) = item.paths[0].strip_prefix(deeper) {
                item.paths[0] = format!("{path}{rest}");
            }
        }
        self.items = others.into_iter().chain(raised).collect();
    }

    /// Visits the `shape` at `path`; a `family` that is not empty has the shape as a kind.
    fn visit(&mut self, shape: &'a Shape, path: &str, family: &str) {
        match shape {
            Shape::Record(record) => self.meet(Entity::Record(record), path, family),
            Shape::Family(kinds) => self.meet(Entity::Family(kinds), path, ""),
            Shape::Words(words) => self.meet(Entity::Words(words), path, ""),
            Shape::Named(item) => self.visit(item, &below(path, "NAME"), ""),
            Shape::List(item) | Shape::Map(item) => self.visit(item, path, ""),
            Shape::Either(shapes) => shapes
                .iter()
                .for_each(|shape| self.visit(shape, path, family)),
            _ => {}
        }
    }

    /// Adds an item and all items below it, or one more path to a known item.
    ///
    /// A record that is a kind of a family has the name of the family after its own:
    /// `EarlyPacketDiscard`.
    fn meet(&mut self, entity: Entity<'a>, path: &str, family: &str) {
        if let Some(known) = self
            .items
            .iter_mut()
            .find(|item| item.entity.id() == entity.id())
        {
            if path.matches('.').count() < known.paths[0].matches('.').count() {
                let deeper = known.paths[0].clone();
                known.paths.insert(0, path.to_string());
                return self.raise(&deeper, path);
            }
            known.paths.push(path.to_string());
            return;
        }
        let own = stem(entity.id().1);
        let name = if own.ends_with(family) {
            own.to_string()
        } else {
            format!("{own}{family}")
        };
        assert!(
            self.items.iter().all(|item| item.name != name),
            "two tables are called {name}; rename one of the types"
        );
        self.items.push(NamedEntity {
            name,
            paths: vec![path.to_string()],
            entity,
        });
        match entity {
            Entity::Record(record) => {
                for field in &record.fields {
                    self.visit(&field.shape, &below(path, field.name), "");
                }
            }
            Entity::Family(kinds) => {
                for kind in &kinds.kinds {
                    self.visit(&kind.shape, &below(path, kind.name), stem(kinds.name));
                }
            }
            Entity::Words(_) => {}
        }
    }
}

impl Entity<'_> {
    /// Module and name of the Rust type.
    fn id(&self) -> (&'static str, &'static str) {
        match self {
            Entity::Record(record) => (record.module, record.name),
            Entity::Family(kinds) => (kinds.module, kinds.name),
            Entity::Words(words) => (words.module, words.name),
        }
    }

    /// Meaning of the entity.
    pub fn help(&self) -> &str {
        match self {
            Entity::Record(record) => &record.help,
            Entity::Family(kinds) => &kinds.help,
            Entity::Words(words) => &words.help,
        }
    }
}

/// The stem of a type name: `DiscardSpec` has the stem `Discard`.
fn stem(name: &str) -> &str {
    name.strip_suffix("Spec").unwrap_or(name)
}

/// The path of `name` in the table at `path`.
fn below(path: &str, name: &str) -> String {
    let separator = if path.is_empty() { "" } else { "." };
    format!("{path}{separator}{name}")
}
