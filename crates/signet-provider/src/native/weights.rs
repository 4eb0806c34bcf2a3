//! The weights of a BERT encoder in memory: matrices as int8 with one scale a row, the rest as f32.

use std::collections::BTreeMap;

use super::LoadError;

/// A matrix of int8 with one scale a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Matrix {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// One for each row.
    pub(super) scales: Vec<f32>,
    /// Row by row; a weight is its byte times the scale of its row.
    pub(super) bytes: Vec<i8>,
}

/// A tensor as a file gave it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tensor {
    /// Values row by row, and the length of a row.
    Plain { values: Vec<f32>, columns: usize },
    /// Quantised.
    Packed(Matrix),
}

/// Tensors by name. Loading takes them out one by one, so that nothing is held twice.
pub(super) type Tensors = BTreeMap<String, Tensor>;

/// `y = x * weightᵀ + bias`.
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) weight: Matrix,
    pub(super) bias: Vec<f32>,
}

/// A layer normalisation.
#[derive(Debug)]
pub(super) struct Norm {
    pub(super) weight: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// One layer of the encoder.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) query: Linear,
    pub(super) key: Linear,
    pub(super) value: Linear,
    pub(super) attended: Linear,
    pub(super) attended_norm: Norm,
    pub(super) up: Linear,
    pub(super) down: Linear,
    pub(super) down_norm: Norm,
}

/// How the vectors of the tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    /// Their mean.
    Mean,
    /// The first one's.
    First,
}

/// What the tensors do not say by themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shape {
    pub(super) heads: usize,
    pub(super) epsilon: f32,
    pub(super) pooling: Pooling,
    /// Most tokens of a text, the two special ones included.
    pub(super) max_tokens: usize,
}

/// A whole encoder.
#[derive(Debug)]
pub(super) struct Weights {
    pub(super) words: Matrix,
    /// Row by row, one for each position.
    pub(super) positions: Vec<f32>,
    /// The embedding of the only token type that single texts use.
    pub(super) token_type: Vec<f32>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
    pub(super) hidden: usize,
    pub(super) intermediate: usize,
    pub(super) shape: Shape,
}

impl Weights {
    /// Takes the encoder out of `tensors` and checks that all shapes fit together.
    pub(super) fn take(tensors: Tensors, shape: Shape) -> Result<Self, LoadError> {
        let mut take = Take { tensors };
        let words = take.matrix("embeddings.word_embeddings.weight", None)?;
        let hidden = words.columns;
        if shape.heads == 0 || !hidden.is_multiple_of(shape.heads) {
            return Err(LoadError::new(format!("{hidden} values do not divide into {} heads", shape.heads)));
        }
        let positions = take.plain("embeddings.position_embeddings.weight", None)?;
        if positions.len() < hidden * shape.max_tokens {
            return Err(LoadError::new(format!("the model has no {} positions", shape.max_tokens)));
        }
        let mut token_type = take.plain("embeddings.token_type_embeddings.weight", None)?;
        if token_type.len() < hidden {
            return Err(LoadError::new("the model has no token type"));
        }
        token_type.truncate(hidden);
        let norm = take.norm("embeddings.LayerNorm", hidden)?;
        let mut layers = Vec::new();
        let mut intermediate = 0;
        while take.has(&format!("encoder.layer.{}.attention.self.query.weight", layers.len())) {
            let layer = take.layer(layers.len(), hidden)?;
            intermediate = layer.up.weight.rows.max(intermediate);
            layers.push(layer);
        }
        if layers.is_empty() {
            return Err(LoadError::new("the model has no layer `encoder.layer.0`"));
        }
        Ok(Self { words, positions, token_type, norm, layers, hidden, intermediate, shape })
    }
}

struct Take {
    tensors: Tensors,
}

impl Take {
    fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    fn tensor(&mut self, name: &str) -> Result<Tensor, LoadError> {
        self.tensors.remove(name).ok_or_else(|| LoadError::new(format!("the model has no tensor `{name}`")))
    }

    fn matrix(&mut self, name: &str, shape: Option<(usize, usize)>) -> Result<Matrix, LoadError> {
        let matrix = match self.tensor(name)? {
            Tensor::Packed(matrix) => matrix,
            Tensor::Plain { values, columns } => quantise(&values, columns),
        };
        match shape {
            Some((rows, columns)) if (matrix.rows, matrix.columns) != (rows, columns) => Err(LoadError::new(
                format!("`{name}` is {} x {}, expected {rows} x {columns}", matrix.rows, matrix.columns),
            )),
            _ => Ok(matrix),
        }
    }

    fn plain(&mut self, name: &str, length: Option<usize>) -> Result<Vec<f32>, LoadError> {
        let Tensor::Plain { values, .. } = self.tensor(name)? else {
            return Err(LoadError::new(format!("`{name}` is int8, expected f32")));
        };
        match length {
            Some(length) if values.len() != length => {
                Err(LoadError::new(format!("`{name}` has {} values, expected {length}", values.len())))
            }
            _ => Ok(values),
        }
    }

    fn norm(&mut self, name: &str, hidden: usize) -> Result<Norm, LoadError> {
        Ok(Norm {
            weight: self.plain(&format!("{name}.weight"), Some(hidden))?,
            bias: self.plain(&format!("{name}.bias"), Some(hidden))?,
        })
    }

    fn linear(&mut self, name: &str, rows: Option<usize>, columns: usize) -> Result<Linear, LoadError> {
        let weight = self.matrix(&format!("{name}.weight"), rows.map(|rows| (rows, columns)))?;
        let bias = self.plain(&format!("{name}.bias"), Some(weight.rows))?;
        if weight.columns == columns {
            Ok(Linear { weight, bias })
        } else {
            Err(LoadError::new(format!("`{name}.weight` has {} columns, expected {columns}", weight.columns)))
        }
    }

    fn layer(&mut self, number: usize, hidden: usize) -> Result<Layer, LoadError> {
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let up = self.linear(&name("intermediate.dense"), None, hidden)?;
        let intermediate = up.weight.rows;
        Ok(Layer {
            query: self.linear(&name("attention.self.query"), Some(hidden), hidden)?,
            key: self.linear(&name("attention.self.key"), Some(hidden), hidden)?,
            value: self.linear(&name("attention.self.value"), Some(hidden), hidden)?,
            attended: self.linear(&name("attention.output.dense"), Some(hidden), hidden)?,
            attended_norm: self.norm(&name("attention.output.LayerNorm"), hidden)?,
            up,
            down: self.linear(&name("output.dense"), Some(hidden), intermediate)?,
            down_norm: self.norm(&name("output.LayerNorm"), hidden)?,
        })
    }
}

/// Symmetric int8 with one scale a row: the largest value of a row becomes 127 or -127.
pub(super) fn quantise(values: &[f32], columns: usize) -> Matrix {
    let columns = columns.max(1);
    let scales: Vec<f32> = values
        .chunks(columns)
        .map(|row| row.iter().fold(0.0_f32, |most, value| most.max(value.abs())) / 127.0)
        .collect();
    let bytes = values
        .chunks(columns)
        .zip(&scales)
        .flat_map(|(row, scale)| {
            let step = if *scale > 0.0 { *scale } else { 1.0 };
            row.iter().map(move |value| (value / step).round() as i8)
        })
        .collect();
    Matrix { rows: scales.len(), columns, scales, bytes }
}
