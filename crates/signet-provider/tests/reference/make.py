"""Makes minilm.json: vectors of sentences.txt by an independent float64 implementation.

Usage: python3 -m venv v && v/bin/pip install numpy tokenizers safetensors
       v/bin/python make.py <folder with model.safetensors and tokenizer.json of all-MiniLM-L6-v2>
"""

import json
import math
import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
FOLDER = pathlib.Path(sys.argv[1])
W = {name: tensor.astype(np.float64) for name, tensor in load_file(FOLDER / "model.safetensors").items()}
ERF = np.vectorize(math.erf)


def dense(x, name):
    return x @ W[name + ".weight"].T + W[name + ".bias"]


def norm(x, name):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * W[name + ".weight"] + W[name + ".bias"]


def encode(ids):
    e = "embeddings."
    x = W[e + "word_embeddings.weight"][ids] + W[e + "position_embeddings.weight"][: len(ids)]
    x = norm(x + W[e + "token_type_embeddings.weight"][0], e + "LayerNorm")
    for layer in range(6):
        p = f"encoder.layer.{layer}."
        q, k, v = (
            dense(x, p + "attention.self." + part).reshape(len(ids), 12, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(32)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        attended = (scores / scores.sum(-1, keepdims=True)) @ v
        attended = attended.transpose(1, 0, 2).reshape(len(ids), 384)
        x = norm(x + dense(attended, p + "attention.output.dense"), p + "attention.output.LayerNorm")
        up = dense(x, p + "intermediate.dense")
        up = up * 0.5 * (1 + ERF(up / math.sqrt(2)))
        x = norm(x + dense(up, p + "output.dense"), p + "output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
tokenizer.no_padding()
tokenizer.enable_truncation(256)
texts = (HERE / "sentences.txt").read_text(encoding="utf-8").splitlines()
rows = [{"text": t, "vector": [round(float(v), 6) for v in encode(tokenizer.encode(t).ids)]} for t in texts]
lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
(HERE / "minilm.json").write_text("[\n" + lines + "\n]\n", encoding="utf-8")
