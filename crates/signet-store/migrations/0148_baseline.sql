-- The squashed baseline. Each table names its class: evidence (never rewritten by a machine),
-- derived (dropped and remade by a rebuild), durable (controlled state a rebuild never drops),
-- audit (append-only), control (work state).
-- Timestamps: RFC 3339 UTC with milliseconds. Absent text scope is '' and never NULL.

-- class: control
CREATE TABLE agents (
  id TEXT PRIMARY KEY NOT NULL,
  no INTEGER NOT NULL UNIQUE,
  next_seq INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL,
  read_policy TEXT NOT NULL DEFAULT 'isolated' CHECK (read_policy IN ('isolated', 'shared', 'group')),
  policy_group TEXT,
  archived_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- class: evidence
CREATE TABLE memories (
  rid INTEGER PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents (id),
  id TEXT NOT NULL,
  type TEXT NOT NULL DEFAULT 'fact' CHECK (length(type) BETWEEN 1 AND 64),
  category TEXT,
  content TEXT NOT NULL,
  search_text TEXT,
  content_hash TEXT NOT NULL,
  normalized_content TEXT NOT NULL,
  dedupe TEXT NOT NULL DEFAULT 'text' CHECK (dedupe IN ('text', 'document', 'group', 'none')),
  group_hash TEXT,
  group_id TEXT,
  group_index INTEGER,
  group_count INTEGER,
  confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
  importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
  source_type TEXT NOT NULL DEFAULT 'manual',
  source_id TEXT NOT NULL DEFAULT '',
  source_path TEXT,
  source_section TEXT,
  tags TEXT NOT NULL DEFAULT '',
  who TEXT,
  why TEXT,
  runtime_path TEXT CHECK (runtime_path IN ('plugin', 'legacy')),
  project TEXT NOT NULL DEFAULT '',
  scope TEXT NOT NULL DEFAULT '',
  visibility TEXT NOT NULL DEFAULT 'global' CHECK (visibility IN ('global', 'private', 'archived')),
  session_id TEXT,
  session_key TEXT,
  created_at TEXT NOT NULL CHECK (created_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]Z'),
  updated_at TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  last_accessed TEXT,
  access_count INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  update_count INTEGER NOT NULL DEFAULT 0,
  pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  manual_override INTEGER NOT NULL DEFAULT 0 CHECK (manual_override IN (0, 1)),
  is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
  deleted_at TEXT,
  deleted_by TEXT,
  superseded_by TEXT,
  superseded_at TEXT,
  superseded_reason TEXT,
  memory_kind TEXT NOT NULL DEFAULT 'episodic' CHECK (memory_kind IN ('episodic', 'semantic', 'derived')),
  evidence_meta TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(evidence_meta)),
  occurred_at TEXT,
  observed_at TEXT,
  source_created_at TEXT,
  valid_from TEXT,
  valid_until TEXT,
  review_after TEXT,
  stale_at TEXT,
  idempotency_key TEXT,
  extraction_status TEXT NOT NULL DEFAULT 'none' CHECK (extraction_status IN ('none', 'pending', 'completed', 'failed')),
  extraction_model TEXT,
  embedding_model TEXT,
  UNIQUE (agent_id, id),
  CHECK ((is_deleted = 0) = (deleted_at IS NULL)),
  CHECK (valid_until IS NULL OR valid_from IS NULL OR valid_until >= valid_from)
) STRICT;

CREATE UNIQUE INDEX ux_memories_text ON memories (agent_id, project, scope, visibility, content_hash)
  WHERE is_deleted = 0 AND superseded_by IS NULL AND dedupe = 'text';
CREATE UNIQUE INDEX ux_memories_document ON memories (agent_id, project, scope, visibility, content_hash)
  WHERE is_deleted = 0 AND dedupe = 'document';
CREATE UNIQUE INDEX ux_memories_group ON memories (agent_id, project, scope, visibility, group_hash, group_index)
  WHERE is_deleted = 0 AND superseded_by IS NULL AND dedupe = 'group';
CREATE UNIQUE INDEX ux_memories_source ON memories (agent_id, project, scope, visibility, source_type, source_id)
  WHERE source_id <> '' AND is_deleted = 0 AND superseded_by IS NULL AND dedupe = 'text';
CREATE UNIQUE INDEX ux_memories_idem ON memories (agent_id, project, scope, visibility, idempotency_key)
  WHERE idempotency_key IS NOT NULL AND is_deleted = 0;
CREATE INDEX ix_memories_created ON memories (agent_id, is_deleted, created_at DESC);
CREATE INDEX ix_memories_project ON memories (agent_id, project, created_at);
CREATE INDEX ix_memories_type ON memories (agent_id, type, created_at);
CREATE INDEX ix_memories_source ON memories (agent_id, source_type, source_id);
CREATE INDEX ix_memories_hash ON memories (agent_id, content_hash);
CREATE INDEX ix_memories_group ON memories (agent_id, group_id, group_index) WHERE group_id IS NOT NULL;
CREATE INDEX ix_memories_deleted ON memories (agent_id, deleted_at) WHERE is_deleted = 1;
CREATE INDEX ix_memories_review ON memories (agent_id, review_after) WHERE review_after IS NOT NULL;
CREATE INDEX ix_memories_superseded ON memories (agent_id, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX ix_memories_critical ON memories (agent_id)
  WHERE importance >= 0.9 AND is_deleted = 0 AND superseded_by IS NULL AND visibility <> 'archived';
CREATE INDEX ix_memories_hidden ON memories (agent_id)
  WHERE is_deleted = 0 AND (superseded_by IS NOT NULL OR visibility = 'archived');
CREATE INDEX ix_memories_access ON memories (agent_id, access_count DESC) WHERE access_count > 0;

CREATE TRIGGER memories_version BEFORE UPDATE OF content ON memories
WHEN new.content <> old.content AND new.version <= old.version
BEGIN SELECT RAISE(ABORT, 'a content change must raise version'); END;

CREATE TRIGGER memories_bd BEFORE DELETE ON memories WHEN old.is_deleted = 0
BEGIN SELECT RAISE(ABORT, 'a live memory cannot be deleted'); END;

-- class: durable
CREATE TABLE memory_hints (
  rid INTEGER PRIMARY KEY,
  agent_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  hint TEXT NOT NULL CHECK (length(hint) BETWEEN 5 AND 300),
  search_text TEXT,
  origin TEXT NOT NULL CHECK (origin IN ('supplied', 'generated')),
  created_at TEXT NOT NULL,
  UNIQUE (agent_id, memory_id, hint),
  FOREIGN KEY (agent_id, memory_id) REFERENCES memories (agent_id, id) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER memory_hints_bu BEFORE UPDATE ON memory_hints
BEGIN SELECT RAISE(ABORT, 'hints are replaced, never edited'); END;

CREATE VIEW memories_fts_source AS
  SELECT m.rid AS rid,
         COALESCE(m.search_text, m.content) AS content,
         (SELECT group_concat(t, char(10)) FROM
            (SELECT COALESCE(h.search_text, h.hint) AS t FROM memory_hints h
              WHERE h.agent_id = m.agent_id AND h.memory_id = m.id ORDER BY h.rid)) AS hints
    FROM memories m WHERE m.is_deleted = 0;

-- class: derived
CREATE VIRTUAL TABLE memories_fts USING fts5(
  content, hints, content = 'memories_fts_source', content_rowid = 'rid',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
-- A forgotten text leaves the index at once, also the older segments.
INSERT INTO memories_fts (memories_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE memories_fts_vocab USING fts5vocab(memories_fts, 'col');

-- Terms of each row's content: the first varint (seven bits a byte, high bits first) of what FTS5
-- keeps as the row's size.
CREATE VIEW memories_fts_lengths AS
  SELECT rid, CASE WHEN b1 < 128 THEN b1
              WHEN b2 < 128 THEN (b1 - 128) * 128 + b2
              WHEN b3 < 128 THEN ((b1 - 128) * 128 + b2 - 128) * 128 + b3
              ELSE (((b1 - 128) * 128 + b2 - 128) * 128 + b3 - 128) * 128 + b4 END AS terms
    FROM (SELECT id AS rid,
      instr('123456789ABCDEF', substr(h, 1, 1)) * 16 + instr('123456789ABCDEF', substr(h, 2, 1)) AS b1,
      instr('123456789ABCDEF', substr(h, 3, 1)) * 16 + instr('123456789ABCDEF', substr(h, 4, 1)) AS b2,
      instr('123456789ABCDEF', substr(h, 5, 1)) * 16 + instr('123456789ABCDEF', substr(h, 6, 1)) AS b3,
      instr('123456789ABCDEF', substr(h, 7, 1)) * 16 + instr('123456789ABCDEF', substr(h, 8, 1)) AS b4
      FROM (SELECT id, hex(substr(sz, 1, 4)) AS h FROM memories_fts_docsize));

CREATE TRIGGER memories_fts_ai AFTER INSERT ON memories WHEN new.is_deleted = 0 BEGIN
  INSERT INTO memories_fts (rowid, content, hints) VALUES (new.rid, COALESCE(new.search_text, new.content), NULL);
  INSERT INTO counters VALUES (new.agent_id, 'memories.terms', COALESCE((SELECT terms FROM memories_fts_lengths WHERE rid = new.rid), 0))
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;
CREATE TRIGGER memories_fts_text AFTER UPDATE OF content, search_text ON memories
WHEN old.is_deleted = 0 AND new.is_deleted = 0 BEGIN
  INSERT INTO counters VALUES (old.agent_id, 'memories.terms', -COALESCE((SELECT terms FROM memories_fts_lengths WHERE rid = old.rid), 0))
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
  INSERT INTO memories_fts (memories_fts, rowid, content, hints)
    SELECT 'delete', old.rid, COALESCE(old.search_text, old.content), s.hints
      FROM memories_fts_source s WHERE s.rid = old.rid;
  INSERT INTO memories_fts (rowid, content, hints)
    SELECT rid, content, hints FROM memories_fts_source WHERE rid = new.rid;
  INSERT INTO counters VALUES (new.agent_id, 'memories.terms', COALESCE((SELECT terms FROM memories_fts_lengths WHERE rid = new.rid), 0))
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;
CREATE TRIGGER memories_fts_forget AFTER UPDATE OF is_deleted ON memories
WHEN old.is_deleted = 0 AND new.is_deleted = 1 BEGIN
  INSERT INTO counters VALUES (old.agent_id, 'memories.terms', -COALESCE((SELECT terms FROM memories_fts_lengths WHERE rid = old.rid), 0))
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
  INSERT INTO memories_fts (memories_fts, rowid, content, hints)
    VALUES ('delete', old.rid, COALESCE(old.search_text, old.content),
      (SELECT group_concat(t, char(10)) FROM
        (SELECT COALESCE(h.search_text, h.hint) AS t FROM memory_hints h
          WHERE h.agent_id = old.agent_id AND h.memory_id = old.id ORDER BY h.rid)));
END;
CREATE TRIGGER memories_fts_recover AFTER UPDATE OF is_deleted ON memories
WHEN old.is_deleted = 1 AND new.is_deleted = 0 BEGIN
  INSERT INTO memories_fts (rowid, content, hints)
    SELECT rid, content, hints FROM memories_fts_source WHERE rid = new.rid;
  INSERT INTO counters VALUES (new.agent_id, 'memories.terms', COALESCE((SELECT terms FROM memories_fts_lengths WHERE rid = new.rid), 0))
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;
CREATE TRIGGER memories_fts_hint_ai AFTER INSERT ON memory_hints BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, hints)
    SELECT 'delete', s.rid, s.content,
      (SELECT group_concat(t, char(10)) FROM
        (SELECT COALESCE(h.search_text, h.hint) AS t FROM memory_hints h
          WHERE h.agent_id = new.agent_id AND h.memory_id = new.memory_id AND h.rid <> new.rid ORDER BY h.rid))
      FROM memories_fts_source s JOIN memories m ON m.rid = s.rid
     WHERE m.agent_id = new.agent_id AND m.id = new.memory_id;
  INSERT INTO memories_fts (rowid, content, hints)
    SELECT s.rid, s.content, s.hints FROM memories_fts_source s JOIN memories m ON m.rid = s.rid
     WHERE m.agent_id = new.agent_id AND m.id = new.memory_id;
END;
CREATE TRIGGER memories_fts_hint_ad AFTER DELETE ON memory_hints BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content, hints)
    SELECT 'delete', s.rid, s.content,
      (SELECT group_concat(t, char(10)) FROM
        (SELECT rid AS r, COALESCE(h.search_text, h.hint) AS t FROM memory_hints h
          WHERE h.agent_id = old.agent_id AND h.memory_id = old.memory_id
         UNION ALL SELECT old.rid, COALESCE(old.search_text, old.hint) ORDER BY r))
      FROM memories_fts_source s JOIN memories m ON m.rid = s.rid
     WHERE m.agent_id = old.agent_id AND m.id = old.memory_id;
  INSERT INTO memories_fts (rowid, content, hints)
    SELECT s.rid, s.content, s.hints FROM memories_fts_source s JOIN memories m ON m.rid = s.rid
     WHERE m.agent_id = old.agent_id AND m.id = old.memory_id;
END;

-- class: derived
CREATE TABLE memory_tags (
  agent_id TEXT NOT NULL,
  tag TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  PRIMARY KEY (agent_id, tag, memory_id),
  FOREIGN KEY (agent_id, memory_id) REFERENCES memories (agent_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX ix_memory_tags_memory ON memory_tags (agent_id, memory_id);

-- class: derived
CREATE TABLE memory_content_safety (
  agent_id TEXT NOT NULL,
  source_kind TEXT NOT NULL CHECK (source_kind IN ('memory', 'artifact', 'transcript', 'session_turn', 'summary', 'source_chunk', 'claim', 'entity')),
  source_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('clean', 'tainted', 'blocked')),
  context_eligible INTEGER NOT NULL CHECK (context_eligible IN (0, 1)),
  has_secret INTEGER NOT NULL DEFAULT 0 CHECK (has_secret IN (0, 1)),
  reasons_json TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(reasons_json)),
  policy_version TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  scanned_at TEXT NOT NULL,
  PRIMARY KEY (agent_id, source_kind, source_id),
  CHECK (context_eligible = 0 OR status = 'clean')
) STRICT, WITHOUT ROWID;
CREATE INDEX ix_safety_status ON memory_content_safety (agent_id, status, source_kind);
CREATE INDEX ix_safety_secret ON memory_content_safety (agent_id, source_kind) WHERE has_secret = 1;

-- class: audit
CREATE TABLE memory_history (
  agent_id TEXT NOT NULL,
  id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('created', 'updated', 'deleted', 'recovered', 'merged', 'superseded', 'split', 'purged', 'erased', 'proposal', 'observation', 'none')),
  old_content TEXT,
  new_content TEXT,
  changed_by TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  reason TEXT,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  session_id TEXT,
  request_id TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ix_history_memory ON memory_history (agent_id, memory_id, created_at, id);
CREATE TRIGGER memory_history_bu BEFORE UPDATE ON memory_history
WHEN NOT (new.old_content IS NULL AND new.new_content IS NULL AND new.id = old.id AND new.memory_id = old.memory_id
  AND new.event = old.event AND new.created_at = old.created_at AND new.changed_by = old.changed_by)
BEGIN SELECT RAISE(ABORT, 'history is append-only; an erase may only clear its texts'); END;
CREATE TRIGGER memory_history_bd BEFORE DELETE ON memory_history
WHEN old.created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-180 days')
BEGIN SELECT RAISE(ABORT, 'history is kept for 180 days'); END;

-- class: control
CREATE TABLE forget_tombstones (
  agent_id TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  actor TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  reason TEXT NOT NULL,
  erased INTEGER NOT NULL DEFAULT 0 CHECK (erased IN (0, 1)),
  PRIMARY KEY (agent_id, content_hash)
) STRICT, WITHOUT ROWID;

-- class: evidence
CREATE TABLE memories_cold (
  agent_id TEXT NOT NULL,
  archive_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  content TEXT NOT NULL,
  original_row_json TEXT NOT NULL CHECK (json_valid(original_row_json)),
  original_created_at TEXT NOT NULL,
  archived_at TEXT NOT NULL,
  archived_reason TEXT NOT NULL CHECK (archived_reason IN ('retention', 'purge', 'source_removed', 'adopted')),
  content_hash TEXT,
  project TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (agent_id, archive_id)
) STRICT;
CREATE INDEX ix_cold_memory ON memories_cold (agent_id, memory_id);
CREATE INDEX ix_cold_hash ON memories_cold (agent_id, content_hash);

-- class: audit
CREATE TABLE purge_receipts (
  agent_id TEXT NOT NULL,
  id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('retention', 'purge', 'erase', 'source', 'session', 'agent')),
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL,
  receipt_json TEXT NOT NULL CHECK (json_valid(receipt_json)),
  PRIMARY KEY (agent_id, id)
) STRICT;

-- class: control
CREATE TABLE embedding_profiles (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  profile TEXT NOT NULL CHECK (profile IN ('legacy-raw', 'nomic', 'qwen3-embedding')),
  noise_floor REAL,
  created_at TEXT NOT NULL
) STRICT;

-- class: derived
CREATE TABLE embeddings (
  rid INTEGER PRIMARY KEY,
  agent_id TEXT NOT NULL,
  id TEXT NOT NULL,
  source_type TEXT NOT NULL CHECK (source_type IN ('memory', 'session_turn', 'source_chunk')),
  source_id TEXT NOT NULL,
  part INTEGER NOT NULL DEFAULT 0,
  profile_id INTEGER NOT NULL REFERENCES embedding_profiles (id),
  content_hash TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  vector BLOB NOT NULL,
  truncated INTEGER NOT NULL DEFAULT 0 CHECK (truncated IN (0, 1)),
  created_at TEXT NOT NULL,
  UNIQUE (agent_id, source_type, source_id, part, profile_id),
  UNIQUE (agent_id, id),
  CHECK (length(vector) = 4 * dimensions)
) STRICT;
CREATE INDEX ix_embeddings_profile ON embeddings (agent_id, profile_id, rid);

-- class: control
CREATE TABLE embedding_index_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  active_profile_id INTEGER REFERENCES embedding_profiles (id),
  mirror TEXT NOT NULL DEFAULT 'absent' CHECK (mirror IN ('absent', 'building', 'ready')),
  mirror_cursor INTEGER NOT NULL DEFAULT 0,
  updated_at TEXT NOT NULL
) STRICT;

-- class: control
CREATE TABLE embedding_work (
  agent_id TEXT NOT NULL,
  source_type TEXT NOT NULL CHECK (source_type IN ('memory', 'session_turn', 'source_chunk')),
  source_id TEXT NOT NULL,
  part INTEGER NOT NULL DEFAULT 0,
  content_hash TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'quarantined')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  failure_class TEXT CHECK (failure_class IN ('context_limit', 'invalid_input', 'provider', 'timeout', 'dimension')),
  last_error TEXT,
  enqueued_at TEXT NOT NULL,
  PRIMARY KEY (agent_id, source_type, source_id, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX ix_embedding_work_due ON embedding_work (agent_id, state, next_attempt_at);

-- A current memory without a vector has a work row: insert, text change, recover; and none once it is gone.
CREATE TRIGGER embedding_work_ai AFTER INSERT ON memories WHEN new.is_deleted = 0 BEGIN
  INSERT INTO embedding_work (agent_id, source_type, source_id, content_hash, next_attempt_at, enqueued_at)
    VALUES (new.agent_id, 'memory', new.id, new.content_hash, new.updated_at, new.updated_at);
END;
CREATE TRIGGER embedding_work_text AFTER UPDATE OF content_hash, is_deleted ON memories
WHEN new.is_deleted = 0 AND (old.is_deleted = 1 OR new.content_hash <> old.content_hash) BEGIN
  INSERT INTO embedding_work (agent_id, source_type, source_id, content_hash, next_attempt_at, enqueued_at)
    VALUES (new.agent_id, 'memory', new.id, new.content_hash, new.updated_at, new.updated_at)
    ON CONFLICT DO UPDATE SET content_hash = excluded.content_hash, state = 'pending', attempts = 0,
      next_attempt_at = excluded.next_attempt_at, failure_class = NULL, last_error = NULL;
END;
CREATE TRIGGER embedding_work_forget AFTER UPDATE OF is_deleted ON memories
WHEN new.is_deleted = 1 AND old.is_deleted = 0 BEGIN
  DELETE FROM embedding_work WHERE agent_id = new.agent_id AND source_type = 'memory' AND source_id = new.id;
END;

-- class: control
CREATE TABLE api_keys (
  agent_id TEXT NOT NULL DEFAULT '',
  id TEXT NOT NULL,
  prefix TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('admin', 'operator', 'agent', 'readonly')),
  scope_json TEXT CHECK (scope_json IS NULL OR json_valid(scope_json)),
  permissions_json TEXT CHECK (permissions_json IS NULL OR json_valid(permissions_json)),
  connector TEXT,
  harness TEXT,
  allowed_projects_json TEXT CHECK (allowed_projects_json IS NULL OR json_valid(allowed_projects_json)),
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT,
  expires_at TEXT,
  PRIMARY KEY (agent_id, id)
) STRICT;

-- class: control
CREATE TABLE auth_tokens (
  jti TEXT PRIMARY KEY NOT NULL,
  sub TEXT NOT NULL,
  role TEXT NOT NULL,
  scope_json TEXT NOT NULL CHECK (json_valid(scope_json)),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  revoked_at TEXT,
  last_used_at TEXT,
  created_by TEXT NOT NULL
) STRICT;

CREATE INDEX ix_auth_tokens_maker ON auth_tokens (created_by);

-- class: control
CREATE TABLE idempotency_keys (
  agent_id TEXT NOT NULL,
  key TEXT NOT NULL,
  route TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer_json TEXT NOT NULL CHECK (json_valid(answer_json)),
  created_at TEXT NOT NULL,
  PRIMARY KEY (agent_id, route, key)
) STRICT, WITHOUT ROWID;

-- class: derived
CREATE TABLE counters (
  agent_id TEXT NOT NULL,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (agent_id, name)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER counters_memories_ai AFTER INSERT ON memories BEGIN
  INSERT INTO counters VALUES (new.agent_id, CASE new.is_deleted WHEN 0 THEN 'memories.live' ELSE 'memories.deleted' END, 1)
    ON CONFLICT DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER counters_memories_au AFTER UPDATE OF is_deleted ON memories WHEN new.is_deleted <> old.is_deleted BEGIN
  INSERT INTO counters VALUES (new.agent_id, 'memories.live', CASE new.is_deleted WHEN 0 THEN 1 ELSE -1 END)
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
  INSERT INTO counters VALUES (new.agent_id, 'memories.deleted', CASE new.is_deleted WHEN 0 THEN -1 ELSE 1 END)
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;
CREATE TRIGGER counters_memories_ad AFTER DELETE ON memories BEGIN
  INSERT INTO counters VALUES (old.agent_id, CASE old.is_deleted WHEN 0 THEN 'memories.live' ELSE 'memories.deleted' END, -1)
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;
CREATE TRIGGER counters_embeddings_ai AFTER INSERT ON embeddings BEGIN
  INSERT INTO counters VALUES (new.agent_id, 'embeddings', 1) ON CONFLICT DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER counters_embeddings_ad AFTER DELETE ON embeddings BEGIN
  INSERT INTO counters VALUES (old.agent_id, 'embeddings', -1) ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;
CREATE TRIGGER counters_work_ai AFTER INSERT ON embedding_work BEGIN
  INSERT INTO counters VALUES (new.agent_id, 'embedding_work.' || new.state, 1) ON CONFLICT DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER counters_work_au AFTER UPDATE OF state ON embedding_work WHEN new.state <> old.state BEGIN
  INSERT INTO counters VALUES (new.agent_id, 'embedding_work.' || new.state, 1) ON CONFLICT DO UPDATE SET value = value + 1;
  INSERT INTO counters VALUES (old.agent_id, 'embedding_work.' || old.state, -1) ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;
CREATE TRIGGER counters_work_ad AFTER DELETE ON embedding_work BEGIN
  INSERT INTO counters VALUES (old.agent_id, 'embedding_work.' || old.state, -1) ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;

-- class: control
CREATE TABLE daemon_meta (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;

INSERT INTO agents (id, no, name, read_policy, created_at, updated_at)
  VALUES ('default', 1, 'default', 'shared', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z');
INSERT INTO embedding_index_state (id, active_profile_id, updated_at) VALUES (1, NULL, '1970-01-01T00:00:00.000Z');
