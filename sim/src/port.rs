//! Port handles, and checks that do not depend on the simulator.

use std::collections::HashMap;

use duoforge_hdl::design::{CLOCK, Design, Dir, MAX_PORT_WIDTH, Port};

use crate::error::{Result, SimError};

/// Maximum number of sample lists per simulator.
pub const MAX_SAMPLE_LISTS: usize = 64;

/// Maximum number of ports in one sample list.
pub const MAX_SAMPLE_PORTS: usize = 128;

/// Handle of a port. A handle is valid for one design; the simulator of another design takes it for
/// a different port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortId(pub(crate) u32);

impl PortId {
    /// Returns the position among the design's ports, without the clock.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Handle of a sample list: its position in the order of setup, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListId(pub(crate) u32);

impl ListId {
    /// Returns the position among the lists of its simulator.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Ports of a design without its clock, and the sample lists set up so far.
#[derive(Debug, Clone)]
pub(crate) struct Ports {
    ports: Vec<Port>,
    ids: HashMap<String, PortId>,
    lists: Vec<Vec<PortId>>,
}

impl Ports {
    /// Checks the design's description and numbers its ports.
    pub(crate) fn of(design: &Design) -> Result<Self> {
        let bad = |reason: String| SimError::BadDesign {
            top: design.top.clone(),
            reason,
        };
        if !is_identifier(&design.top) {
            return Err(bad("the top module's name is not an identifier".into()));
        }
        let mut ports = Vec::new();
        let mut ids = HashMap::new();
        for port in &design.ports {
            if !is_identifier(&port.name) {
                return Err(bad(format!(
                    "port name {:?} is not an identifier",
                    port.name
                )));
            }
            if port.name == CLOCK {
                if port.width != 1 || port.dir != Dir::In {
                    return Err(bad("the clock is not an input of one bit".into()));
                }
                continue;
            }
            if port.width == 0 || port.width > MAX_PORT_WIDTH {
                return Err(bad(format!(
                    "port {} is {} bits wide",
                    port.name, port.width
                )));
            }
            let id = PortId(ports.len() as u32);
            if ids.insert(port.name.clone(), id).is_some() {
                return Err(bad(format!("port {} is listed twice", port.name)));
            }
            ports.push(port.clone());
        }
        Ok(Self {
            ports,
            ids,
            lists: Vec::new(),
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Port> {
        self.ports.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.ports.len()
    }

    pub(crate) fn get(&self, id: PortId) -> Result<&Port> {
        let none = || SimError::NoSuchPort {
            name: format!("number {}", id.0),
        };
        self.ports.get(id.index()).ok_or_else(none)
    }

    pub(crate) fn find(&self, name: &str) -> Result<PortId> {
        let id = self.ids.get(name).copied();
        id.ok_or_else(|| SimError::NoSuchPort {
            name: name.to_owned(),
        })
    }

    /// Checks that this value may be driven on this port.
    pub(crate) fn check_poke(&self, id: PortId, value: u64) -> Result<&Port> {
        let port = self.get(id)?;
        if port.dir != Dir::In {
            return Err(SimError::NotAnInput {
                name: port.name.clone(),
            });
        }
        if value > port.max_value() {
            let (name, width) = (port.name.clone(), port.width);
            return Err(SimError::TooWide { name, width, value });
        }
        Ok(port)
    }

    /// Adds a sample list.
    pub(crate) fn add_list(&mut self, valid: PortId, ports: &[PortId]) -> Result<ListId> {
        let bad = |reason| Err(SimError::BadSampleList { reason });
        let port = self.get(valid)?;
        if port.width != 1 {
            return bad(format!(
                "port {} that enables it is {} bits wide",
                port.name, port.width
            ));
        }
        if ports.len() > MAX_SAMPLE_PORTS {
            return bad(format!(
                "it has {} ports, {MAX_SAMPLE_PORTS} are possible",
                ports.len()
            ));
        }
        if self.lists.len() == MAX_SAMPLE_LISTS {
            return bad(format!("there are {MAX_SAMPLE_LISTS} lists already"));
        }
        for port in ports {
            self.get(*port)?;
        }
        self.lists.push(ports.to_vec());
        Ok(ListId(self.lists.len() as u32 - 1))
    }

    /// Returns the ports of a sample list.
    pub(crate) fn list(&self, index: usize) -> Option<&[PortId]> {
        self.lists.get(index).map(Vec::as_slice)
    }
}

/// Returns true for a simple identifier of Verilog; the generated text uses names unescaped.
fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(ports: Vec<Port>) -> Design {
        Design {
            top: "top".into(),
            verilog: String::new(),
            ports,
        }
    }

    fn reason(ports: Vec<Port>) -> String {
        Ports::of(&design(ports)).unwrap_err().to_string()
    }

    #[test]
    fn contradictions_are_found() {
        assert_eq!(
            reason(vec![Port::input("a", 65)]),
            "design top: port a is 65 bits wide"
        );
        assert_eq!(
            reason(vec![Port::input("a", 0)]),
            "design top: port a is 0 bits wide"
        );
        assert_eq!(
            reason(vec![Port::input("a", 1), Port::output("a", 1)]),
            "design top: port a is listed twice"
        );
        assert_eq!(
            reason(vec![Port::output("clock", 1)]),
            "design top: the clock is not an input of one bit"
        );
        assert_eq!(
            reason(vec![Port::input("a;b", 1)]),
            "design top: port name \"a;b\" is not an identifier"
        );
    }

    #[test]
    fn the_clock_has_no_number() {
        let ports = vec![
            Port::input("a", 1),
            Port::input("clock", 1),
            Port::output("b$c", 3),
        ];
        let ports = Ports::of(&design(ports)).unwrap();
        assert_eq!(ports.find("b$c").unwrap().index(), 1);
        assert!(matches!(
            ports.find("clock"),
            Err(SimError::NoSuchPort { .. })
        ));
        assert!(matches!(
            ports.get(PortId(2)),
            Err(SimError::NoSuchPort { .. })
        ));
    }

    #[test]
    fn sample_lists_are_limited() {
        let ports = vec![Port::output("wide", 2), Port::output("bit", 1)];
        let mut ports = Ports::of(&design(ports)).unwrap();
        let (wide, bit) = (PortId(0), PortId(1));
        assert!(matches!(
            ports.add_list(wide, &[bit]),
            Err(SimError::BadSampleList { .. })
        ));
        let long = vec![bit; MAX_SAMPLE_PORTS + 1];
        assert!(matches!(
            ports.add_list(bit, &long),
            Err(SimError::BadSampleList { .. })
        ));
        for index in 0..MAX_SAMPLE_LISTS {
            assert_eq!(ports.add_list(bit, &[wide]).unwrap().index(), index);
        }
        assert!(matches!(
            ports.add_list(bit, &[wide]),
            Err(SimError::BadSampleList { .. })
        ));
    }
}
