//! Arrays, records and maps.

use variant::Text;

use super::{MAX_DEPTH, Reading, Step, Stop};
use crate::kinds::class::outcome_of_fields;
use crate::kinds::sequence::never_all_default;
use crate::straight::Builder;
use crate::straight::plan::{Part, RecordNode};
use crate::{Field, ResultCode, Task};

impl<B: Builder> Reading<'_, '_, B> {
    pub(super) fn array(&mut self, item: &Part<'_, B>, place: &mut B::Value) -> Step<ResultCode> {
        self.deeper(|reading, first| {
            let code = reading.elements(item)?;
            *place = reading.builder.array(reading.values.drain(first..));
            Ok(code)
        })
    }

    pub(super) fn packed_strings(
        &mut self,
        item: &Part<'_, B>,
        place: &mut B::Value,
    ) -> Step<ResultCode> {
        self.deeper(|reading, first| {
            let code = reading.elements(item)?;
            *place = reading.builder.strings(reading.values.drain(first..));
            Ok(code)
        })
    }

    /// Puts the elements of an array behind the other values.
    fn elements(&mut self, item: &Part<'_, B>) -> Step<ResultCode> {
        let mut code = ResultCode::started(Task::ReadField);
        let mut has_more = self.reader.begin_array()?;
        while has_more {
            let mut element = self.builder.nil();
            code.add(self.value(&item.schema, &item.node, &mut element)?);
            self.values.push(element);
            has_more = self.reader.next_element()?;
        }
        Ok(self.of_container(code))
    }

    pub(super) fn map(&mut self, part: &Part<'_, B>, place: &mut B::Value) -> Step<ResultCode> {
        self.deeper(|reading, _| {
            let mut code = ResultCode::started(Task::ReadField);
            let mut map = reading.builder.map();
            let mut count = 0;
            let mut has_more = reading.reader.begin_object()?;
            if !has_more {
                return Err(Stop::Unusual);
            }
            while has_more {
                let name = reading.reader.name()?;
                reading.reader.colon()?;
                // `{}` is the default of the key.
                if name.text == "{}" {
                    return Err(Stop::Unusual);
                }
                let mut value = reading.builder.nil();
                let key_code = reading.run.success(Task::ReadField);
                let step = reading.value(&part.schema, &part.node, &mut value)?;
                code.add(key_code.combine(step));
                let name = match name.is_ascii {
                    true => Text::Ascii(name.text.as_bytes()),
                    false => Text::Utf8(&name.text),
                };
                reading.builder.entry(&mut map, name, value);
                count += 1;
                has_more = reading.reader.next_member()?;
            }
            let (value, len) = reading.builder.end_map(map);
            // Names that stand twice: the second value is loaded over the first.
            if len < count {
                return Err(Stop::Unusual);
            }
            *place = value;
            Ok(reading.of_container(code))
        })
    }

    pub(super) fn record(
        &mut self,
        record: &RecordNode<'_, B>,
        place: &mut B::Value,
    ) -> Step<ResultCode> {
        self.deeper(|reading, first| {
            let code = reading.fields(record)?;
            *place = reading.builder.record(&record.names, reading.values.drain(first..));
            Ok(code)
        })
    }

    /// Puts the fields of a record, in their order, behind the other values.
    fn fields(&mut self, record: &RecordNode<'_, B>) -> Step<ResultCode> {
        let mut code = ResultCode::started(Task::ReadField);
        let mut has_more = self.reader.begin_object()?;
        if !has_more {
            // `{}` is the default of the whole record.
            return Err(Stop::Unusual);
        }
        let mut loaded = 0;
        // While the members come in the order of the fields, each value is put behind the last one.
        while has_more && loaded < record.fields.len() && self.is_next(&record.fields[loaded])? {
            let part = &record.parts[loaded];
            let mut value = self.builder.nil();
            code.add(self.value(&part.schema, &part.node, &mut value)?);
            self.values.push(value);
            loaded += 1;
            has_more = self.reader.next_member()?;
        }
        if loaded == record.fields.len() && !has_more {
            return Ok(code);
        }
        self.other_fields(record, loaded, has_more, code)
    }

    /// Goes behind the name of a member if it is that of `field`, and stays before any other.
    #[inline]
    fn is_next(&mut self, field: &Field) -> Step<bool> {
        let start = self.reader.position();
        if self.reader.name()?.text == *field.name {
            self.reader.colon()?;
            return Ok(true);
        }
        self.reader.go_back(start);
        Ok(false)
    }

    /// The fields behind those that were `loaded` in order: their members, if there are any, come in
    /// another one.
    fn other_fields(
        &mut self,
        record: &RecordNode<'_, B>,
        mut loaded: usize,
        mut has_more: bool,
        mut code: ResultCode,
    ) -> Step<ResultCode> {
        let (count, first) = (record.fields.len(), self.values.len() - loaded);
        let mut is_loaded: Vec<bool> = (0..count).map(|at| at < loaded).collect();
        while self.values.len() < first + count {
            self.values.push(self.builder.nil());
        }
        while has_more {
            let name = self.reader.name()?;
            self.reader.colon()?;
            let is_named = |field: &Field| field.name.eq_ignore_ascii_case(&name.text);
            let at = record.fields.iter().position(is_named).ok_or(Stop::Unusual)?;
            // A member that stands twice is loaded over what the first one made.
            if std::mem::replace(&mut is_loaded[at], true) {
                return Err(Stop::Unusual);
            }
            let part = &record.parts[at];
            let mut value = self.builder.nil();
            code.add(self.value(&part.schema, &part.node, &mut value)?);
            self.values[first + at] = value;
            loaded += 1;
            has_more = self.reader.next_member()?;
        }
        for (at, default) in record.defaults.iter().enumerate() {
            if !is_loaded[at] {
                self.builder.put(default.clone(), &mut self.values[first + at])?;
            }
        }
        if let Some(outcome) = outcome_of_fields(loaded, count) {
            code.add(ResultCode::new(Task::ReadField, outcome));
        }
        Ok(code)
    }

    /// Does `step` one level deeper, if it may be, with the number of values there are before it.
    fn deeper<T>(&mut self, step: impl FnOnce(&mut Self, usize) -> Step<T>) -> Step<T> {
        if self.depth == MAX_DEPTH {
            return Err(Stop::Report);
        }
        let known = self.values.len();
        self.depth += 1;
        let result = step(self, known);
        self.depth -= 1;
        // What was not made use of is of no use to others.
        self.values.truncate(known);
        result
    }

    /// The code of a container whose parts gave `code`.
    fn of_container(&self, code: ResultCode) -> ResultCode {
        if code.has_done_work() {
            never_all_default(code)
        } else {
            self.run.success(Task::ReadField)
        }
    }
}
