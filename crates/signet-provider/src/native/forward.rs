//! The encoder itself (Devlin et al. 2018): token ids in, one vector of length 1 a text out.
//!
//! Texts of a call lie one after the other without padding, and every product is made for each text by
//! itself, so a text's vector is bit for bit the same whoever shares the call. What the texts share is
//! the widening of a weight matrix from int8, which is why calls of several short texts are faster.

use std::ops::Range;

use pulp::Arch;

use super::math::{NormView, add_and_norm, gelu, norm_rows, scale_and_add, softmax, widen};
use super::matmul::{View, multiply};
use super::weights::{Layer, Linear, Norm, Pooling, Weights};

/// Memory of one encoding thread, kept between calls.
#[derive(Debug)]
pub(super) struct Scratch {
    arch: Arch,
    /// One row for each token.
    tokens: Vec<f32>,
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    attended: Vec<f32>,
    wide: Vec<f32>,
    scores: Vec<f32>,
    /// A weight matrix as f32, without its scales.
    matrix: Vec<f32>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self {
            arch: Arch::new(),
            tokens: Vec::new(),
            query: Vec::new(),
            key: Vec::new(),
            value: Vec::new(),
            attended: Vec::new(),
            wide: Vec::new(),
            scores: Vec::new(),
            matrix: Vec::new(),
        }
    }
}

/// The vectors of texts given as token ids (each with its special tokens, at least one id and at most
/// `shape.max_tokens`).
pub(super) fn encode(weights: &Weights, scratch: &mut Scratch, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
    let spans = spans(texts);
    let total = spans.last().map_or(0, |span| span.end);
    for buffer in
        [&mut scratch.tokens, &mut scratch.query, &mut scratch.key, &mut scratch.value, &mut scratch.attended]
    {
        buffer.resize(total * weights.hidden, 0.0);
    }
    scratch.wide.resize(total * weights.intermediate, 0.0);
    look_up(weights, &mut scratch.tokens, texts);
    norm_rows(scratch.arch, &mut scratch.tokens, view(&weights.norm, weights.shape.epsilon));
    for layer in &weights.layers {
        apply(weights, layer, scratch, &spans);
    }
    spans.into_iter().map(|span| pool(weights, &scratch.tokens, span)).collect()
}

fn spans(texts: &[Vec<u32>]) -> Vec<Range<usize>> {
    let mut start = 0;
    texts
        .iter()
        .map(|ids| {
            let span = start..start + ids.len();
            start = span.end;
            span
        })
        .collect()
}

fn view(norm: &Norm, epsilon: f32) -> NormView<'_> {
    NormView { weight: &norm.weight, bias: &norm.bias, epsilon }
}

/// Word, position and type embeddings, added.
fn look_up(weights: &Weights, tokens: &mut [f32], texts: &[Vec<u32>]) {
    let hidden = weights.hidden;
    let placed = texts.iter().flat_map(|ids| ids.iter().enumerate());
    for (token, (place, id)) in tokens.chunks_exact_mut(hidden).zip(placed) {
        // An id beyond the table is a fault of the tokenizer file; its last row stands in.
        let row = (*id as usize).min(weights.words.rows - 1);
        let word = &weights.words.bytes[row * hidden..(row + 1) * hidden];
        let scale = weights.words.scales[row];
        let position = &weights.positions[place * hidden..(place + 1) * hidden];
        for (((value, byte), position), kind) in
            token.iter_mut().zip(word).zip(position).zip(&weights.token_type)
        {
            *value = f32::from(*byte) * scale + position + kind;
        }
    }
}

fn apply(weights: &Weights, layer: &Layer, scratch: &mut Scratch, spans: &[Range<usize>]) {
    let Scratch { arch, tokens, query, key, value, attended, wide, scores, matrix } = scratch;
    let arch = *arch;
    let epsilon = weights.shape.epsilon;
    let mut linear =
        |out: &mut [f32], input: &[f32], step: &Linear| transform(arch, matrix, spans, out, input, step);
    linear(query, tokens, &layer.query);
    linear(key, tokens, &layer.key);
    linear(value, tokens, &layer.value);
    for span in spans {
        attend(arch, weights, &mut Attention { query, key, value, scores }, attended, span);
    }
    linear(query, attended, &layer.attended);
    add_and_norm(arch, tokens, query, view(&layer.attended_norm, epsilon));
    linear(wide, tokens, &layer.up);
    gelu(arch, wide);
    linear(query, wide, &layer.down);
    add_and_norm(arch, tokens, query, view(&layer.down_norm, epsilon));
}

fn transform(
    arch: Arch,
    matrix: &mut Vec<f32>,
    spans: &[Range<usize>],
    out: &mut [f32],
    input: &[f32],
    step: &Linear,
) {
    let (rows, columns) = (step.weight.rows, step.weight.columns);
    matrix.resize(step.weight.bytes.len(), 0.0);
    widen(arch, &step.weight.bytes, matrix);
    let weight = View::rows(matrix, rows, columns, columns).transposed();
    for span in spans {
        let input = View::rows(&input[span.start * columns..], span.len(), columns, columns);
        multiply(&mut out[span.start * rows..], rows, 1.0, input, weight);
    }
    scale_and_add(arch, out, &step.weight.scales, &step.bias);
}

struct Attention<'a> {
    query: &'a [f32],
    key: &'a [f32],
    value: &'a [f32],
    scores: &'a mut Vec<f32>,
}

fn attend(arch: Arch, weights: &Weights, of: &mut Attention<'_>, out: &mut [f32], span: &Range<usize>) {
    let (hidden, length) = (weights.hidden, span.len());
    let width = hidden / weights.shape.heads;
    let factor = 1.0 / (width as f32).sqrt();
    of.scores.resize(length * length, 0.0);
    for head in 0..weights.shape.heads {
        let at = span.start * hidden + head * width;
        let part = |data| View::rows(data, length, width, hidden);
        multiply(of.scores, length, factor, part(&of.query[at..]), part(&of.key[at..]).transposed());
        softmax(arch, of.scores, length);
        let scores = View::rows(of.scores, length, length, length);
        multiply(&mut out[at..], hidden, 1.0, scores, part(&of.value[at..]));
    }
}

fn pool(weights: &Weights, tokens: &[f32], span: Range<usize>) -> Vec<f32> {
    let hidden = weights.hidden;
    let rows = &tokens[span.start * hidden..span.end * hidden];
    let mut vector = rows[..hidden].to_vec();
    if weights.shape.pooling == Pooling::Mean {
        for row in rows.chunks_exact(hidden).skip(1) {
            for (sum, value) in vector.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }
    // The mean's divisor goes with the normalisation to length 1.
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    for value in &mut vector {
        *value /= norm;
    }
    vector
}
