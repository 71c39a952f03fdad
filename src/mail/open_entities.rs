//! Entities that are open: the levels of a message, and what the parts on each of them share.

use std::sync::Arc;

use super::structure::{EntityLevel, Multipart};
use crate::iri::IriBuf;

/// Deepest nesting of transfer encodings.
const LONGEST_CHAIN: usize = crate::limits::ENCODINGS;

/// Data that the parts on one level of a message share.
#[derive(Clone, Debug, Default)]
pub(super) struct MessageScope {
    pub(super) message_id: Option<Arc<str>>,
    /// Base of references, unless a part declares another one.
    pub(super) base: Option<IriBuf>,
}

/// Levels that are open in a message, and those around it.
#[derive(Clone, Debug)]
pub(super) struct OpenEntities {
    pub(super) levels: Vec<EntityLevel>,
    /// Scope of the message, then one for each level.
    scopes: Vec<MessageScope>,
    /// Number of levels around this message.
    outer: usize,
    /// Number of transfer encodings around this message.
    encodings: usize,
}

impl Default for OpenEntities {
    fn default() -> OpenEntities {
        let scopes = vec![MessageScope::default()];
        OpenEntities { levels: Vec::new(), scopes, outer: 0, encodings: 0 }
    }
}

impl OpenEntities {
    /// Closes all levels, and begins another message.
    pub(super) fn restart(&mut self) {
        self.levels.clear();
        self.scopes.clear();
        self.scopes.push(MessageScope::default());
    }

    /// Returns the entities in the content of a part, one level and one encoding deeper.
    pub(super) fn inside(&self) -> OpenEntities {
        OpenEntities {
            outer: self.next_depth(),
            encodings: self.encodings + 1,
            ..OpenEntities::default()
        }
    }

    /// Continues in the scope of another message.
    pub(super) fn set_scope_of(&mut self, other: &OpenEntities) {
        self.scopes = vec![other.scope()];
    }

    /// Continues with the parts of the innermost level of another message.
    pub(super) fn set_parts_of(&mut self, other: &OpenEntities) {
        self.levels.extend(other.levels.last().cloned());
        self.scopes = vec![other.scope(); 2];
    }

    fn scope(&self) -> MessageScope {
        self.scopes.last().cloned().unwrap_or_default()
    }

    /// Returns the depth of another level.
    pub(super) fn next_depth(&self) -> usize {
        self.outer + self.levels.len() + 1
    }

    /// Returns `true` if the bytes of the message are those that are stored.
    pub(super) fn is_stored(&self) -> bool {
        self.encodings == 0
    }

    /// Returns `true` if no other encoding is decoded.
    pub(super) fn is_chain_full(&self) -> bool {
        self.encodings + 1 >= LONGEST_CHAIN
    }

    /// Returns the identifier of the message in the current scope.
    pub(super) fn message_id(&self) -> Option<&Arc<str>> {
        self.scopes.last()?.message_id.as_ref()
    }

    /// Returns the base of references in the current scope.
    pub(super) fn base(&self) -> Option<IriBuf> {
        self.scopes.last()?.base.clone()
    }

    /// Enters a scope: a message stores its identifier in the current scope, and a level pushes its own.
    pub(super) fn set_scope(&mut self, is_message: bool, scope: MessageScope, is_level: bool) {
        if is_message && let Some(last) = self.scopes.last_mut() {
            last.message_id = scope.message_id.clone();
        }
        if is_level {
            self.scopes.push(scope);
        }
    }

    /// Closes the levels inside this one, and returns it if it has parts.
    pub(super) fn close_to(&mut self, level: usize) -> Option<&mut Multipart> {
        self.levels.truncate(level + 1);
        self.scopes.truncate(level + 2);
        match self.levels.last_mut() {
            Some(EntityLevel::Parts(parts)) => Some(parts),
            _ => None,
        }
    }
}
