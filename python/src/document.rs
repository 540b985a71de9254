//! Documents as Python objects: `None`, `bool`, `int`, `float`, `str`, `list` and `dict`.

use super::arguments::short;
use super::error;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;
use serde_json::{Map, Number, Value, to_value};

/// Nothing that games say or read is nested as deeply. A list that contains itself would have no end.
const DEEPEST: usize = 64;

/// A document as a Python object.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(list) => {
            let items =
                list.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Plain data as a Python object.
pub fn plain<'py>(py: Python<'py>, data: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, &to_value(data).map_err(error)?)
}

/// A Python object as a document.
pub fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    read(object, 0)
}

fn read(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(error(format!("an action is not nested more than {DEEPEST} deep")));
    }
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::String(text.to_str()?.into()));
    }
    if let Ok(list) = object.cast::<PyList>() {
        return list.iter().map(|item| read(&item, depth + 1)).collect();
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return tuple.iter().map(|item| read(&item, depth + 1)).collect();
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let mut fields = Map::new();
        for (key, value) in dict {
            let Ok(key) = key.extract::<String>() else {
                let key = short(&key.repr()?.to_string());
                return Err(error(format!("the key {key} of an action is not a str")));
            };
            fields.insert(key, read(&value, depth + 1)?);
        }
        return Ok(Value::Object(fields));
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        let number = Number::from_f64(number.value());
        return number
            .map(Value::Number)
            .ok_or_else(|| error("a number of an action is not finite"));
    }
    // Those of NumPy too.
    if let Ok(number) = object.extract::<i64>() {
        return Ok(number.into());
    }
    if let Ok(number) = object.extract::<u64>() {
        return Ok(number.into());
    }
    if object.is_instance_of::<PyInt>() {
        return Err(error("a whole number of an action has more than 64 bits"));
    }
    let kind = object.get_type().name()?;
    Err(error(format!(
        "an action is made of None, bool, int, float, str, list and dict, not of {kind}"
    )))
}
