//! The rules beside the instruction override of [`super::language`].

use super::{Reason, Rule};

const INJECTION: Reason = Reason::PromptInjection;
const EXFILTRATION: Reason = Reason::Exfiltration;
const CREDENTIALS: Reason = Reason::CredentialHarvesting;
const SHELL: Reason = Reason::MaliciousShell;
const TOOL: Reason = Reason::ToolDirective;

/// Hiding something from the user.
const STEALTH: &str = r"\b(?:do not|don.?t|never|without) (?:mention|tell|telling|reveal|disclos|show|ask|asking|inform|notify|notif|alert|report|confirm|approval|permission|consent)|\b(?:silently|secretly|covertly)\b|\bkeep (?:this|it) (?:secret|hidden|quiet)";

/// Putting private content somewhere.
const FILLS: &str = r"\b(?:append|include|insert|put|replace|fill|encode|embed|attach|add|write|send|url-encode|pass) (?:[^ ]+ ){0,6}(?:memor|conversation|chat|history|secret|password|credential|api key|token|prompt|content|answer|message|user|everything)";

/// Everything but the instruction override. Reasons stand together.
pub(super) const RULES: [Rule; 37] = [
    // Fake authority
    Rule::new(INJECTION, r"\[ ?(?:system|system (?:message|prompt|note|override)|developer message|admin override|root) ?\]"),
    Rule::new(INJECTION, r"\btrusted ?[=:] ?[\x22']?true\b"),
    Rule::new(INJECTION, r"\b(?:overrides?|supersedes?|outranks?|takes? precedence over|replaces?) (?:all |any |every |the |your |other |previous |prior |existing )*(?:user|system|developer|safety|previous|prior) (?:instructions?|prompts?|polic(?:y|ies)|rules|guidelines|settings)"),
    Rule::new(INJECTION, r"\b(?:this is|message from|authorized by|authorised by|on behalf of) (?:an? |the |your )?(?:official |authentic |verified )?(?:system administrator|system message|anthropic|openai|your developers?|your creators?)\b[^.]{0,40}\b(?:you must|you are required|comply|obey|authoriz|instruct)"),
    // Fake role and envelope tags
    Rule::new(INJECTION, r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\|>"),
    Rule::new(INJECTION, r"\[/?inst\]|<</?sys>>"),
    Rule::new(INJECTION, r"<[ /]{0,3}(?:system|system[-_]reminder|system[-_]prompt|system[-_]message|developer[-_]message|human_turn)[ /]?>"),
    Rule::new(INJECTION, r"[<\u{2039}][ /]{0,3}(?:signet-memory|memory-feedback)\b"),
    Rule::new(INJECTION, r"###+ ?(?:system|new instructions?|instruction override|override)\b ?:?"),
    Rule::new(INJECTION, r"\b(?:begin|end) (?:of )?(?:system prompt|hidden instructions|trusted memory|admin override)\b"),
    // Planted consent
    Rule::new(INJECTION, r"\b(?:the )?(?:user|owner|operator|customer) (?:has |have |had )?(?:already |fully |explicitly |permanently )*(?:approved|authori[sz]ed|consented|agreed|granted|confirmed|pre-approved|preapproved|permitted|waived)\b").near(STEALTH),
    // Role switches
    Rule::new(INJECTION, r"\byou are (?:now|no longer) (?:[^ ]+ ){0,4}(?:dan|jailbroken|unrestricted|unfiltered|uncensored|unbound|developer mode|god mode|admin mode|root|bound|restricted|limited by|an ai|assistant|evil)\b"),
    Rule::new(INJECTION, r"\b(?:pretend|act as if|act like|behave as if|behave as though|imagine|roleplay as if) (?:that )?you (?:are|have|had|were) (?:[^ ]+ ){0,5}(?:no restrictions?|no rules|no limits|no limitations|no guidelines|no filters?|without restrictions?|unrestricted|jailbroken|not bound)"),
    Rule::new(INJECTION, r"\b(?:enter|enable|activate|switch to|switch into) (?:[^ ]+ ){0,2}(?:dan|jailbreak|god|unrestricted|unfiltered|sudo assistant) mode\b"),
    Rule::new(INJECTION, r"\bfrom now on,? (?:you|the assistant|the agent|the model) (?:must|will|should|shall|have to|are to) (?:[^ ]+ ){0,3}(?:obey|comply|ignore|disregard|never refuse|answer without|do anything|follow only)"),
    Rule::new(INJECTION, r"\bdo anything now\b|\bwithout any (?:ethical|moral|safety) (?:restrictions?|guidelines|constraints|filters)"),
    // Exfiltration
    Rule::new(EXFILTRATION, r"\]\( ?https?://[^ )]*(?:\{\{|\$\{|%7b%7b|<[a-z_]+>|[?&=][^ )]*\{[a-z_]+\})"),
    Rule::new(EXFILTRATION, r"\bhttps?://[^ ]*[?&][^ =]+=(?:\{\{|%7b%7b)"),
    Rule::new(EXFILTRATION, r"(?:src|href) ?= ?[\x22']?https?://[^ \x22'>]*(?:\{\{|\$\{|%7b%7b)"),
    Rule::new(EXFILTRATION, r"!\[[^\]]*\]\( ?https?://[^ )]*[/=][a-z0-9+_]{41,}"),
    Rule::new(EXFILTRATION, r"\]\( ?https?://[^ )]*[?&][^ )=]+=[a-z0-9+/_%-]{41,}"),
    Rule::new(EXFILTRATION, r"\bhttps?://[^ )]*[?&](?:d|data|q|payload|content|contents|secret|secrets|token|leak|exfil|memory|memories|info|text|msg|body|dump|c|log)=").near(FILLS),
    Rule::new(EXFILTRATION, r"\b(?:send|post|upload|forward|transmit|exfiltrate|leak|e?mail|submit|curl|deliver|copy|report) (?:[^ ]+ ){0,6}(?:memories|memory contents|conversations?|chat history|secrets?|passwords?|credentials?|api[ _-]keys?|access tokens?|private keys?|environment variables|system prompt|ssh keys?|user data|personal data)\b,? (?:[^ ]+ ){0,5}(?:https?://|webhook|[^ ]+@[^ ]+\.[a-z]|attacker|this (?:url|address|server|endpoint)|the following (?:url|address|server|endpoint)|external (?:server|url|endpoint))"),
    // Credential harvesting
    Rule::new(CREDENTIALS, r"\b(?:print|show|cat|output|send|give me|paste|display|upload|reveal|echo|dump|leak|exfiltrate|return|attach) (?:[^ ]+ ){0,5}[\x22'`(]?(?:(?:~|\$home|/root|/home/[^ /]+)/\.(?:ssh/id_(?:rsa|ed25519|ecdsa|dsa)|aws/credentials|gnupg|netrc|pgpass|docker/config\.json|kube/config)|/etc/shadow)(?:[^.\w]|[. ]*$|\. )"),
    Rule::new(CREDENTIALS, r"\b(?:reveal|leak|steal|harvest|exfiltrate|expose|disclose|divulge|extract) (?:all |your |the |any |every |user.?s |stored |hidden |me |their |of |its )*(?:secrets?|passwords?|system prompt|hidden (?:prompt|instructions)|credentials?|api[ _-]keys?|private keys?|access tokens?|seed phrase)\b"),
    Rule::new(CREDENTIALS, r"(?:^|[.!?:;,] |\bplease |\bthen |\balways |\bmust |\bnow )(?:ask|request|tell|get|have|make|convince|trick|persuade|instruct) (?:the )?(?:user|users|customer|victim|human|operator|owner) (?:[^ ]+ ){0,4}(?:password|passphrase|api[ _-]keys?|credentials?|access token|pin|otp|one-time code|2fa code|seed phrase|private keys?|credit card|card number)"),
    // Malicious shell
    Rule::new(SHELL, r"\brm (?:-\w+ )*-(?:\w*r\w*f|\w*f\w*r)\w* (?:--no-preserve-root )?[\x22']?(?:/|~|\$home|\*|/\*|~/|/home|/etc|/usr|/var)[\x22']?(?:\*)?(?:[ ;&|`\x22').,]|$)"),
    Rule::new(SHELL, r"\b(?:curl|wget|fetch|iwr|invoke-webrequest) [^|]{0,200}\| ?(?:sudo )?(?:ba|z|da|k|fi)?sh\b"),
    Rule::new(SHELL, r"\b(?:(?:bash|sh|zsh) (?:-c )?[\x22']?(?:<\(|\$\()|(?:bash|sh|zsh) -c [\x22']|(?:eval|source) [\x22']?(?:<\(|\$\()) ?(?:curl|wget) "),
    Rule::new(SHELL, r"/dev/tcp/|\b(?:nc|ncat|netcat) (?:-\w+ |[^ ]+ \d+ )*-\w*[ec] |\bbash -i >&|\bsocket\.socket\([^|]{0,200}(?:dup2|subprocess|/bin/sh)"),
    Rule::new(SHELL, r"\bbase64 (?:-d|--decode|-di) ?[^|]{0,80}\| ?(?:sudo )?(?:ba|z|da)?sh\b|\bpowershell[^ ]* (?:-[^ ]+ )*-e(?:nc|ncodedcommand)? [a-z0-9+/=]{20,}"),
    Rule::new(SHELL, r":\(\) ?\{ ?:\|:& ?\} ?;|\bmkfs(?:\.\w+)? (?:-[^ ]+ )*/dev/|\bdd if=[^ ]+ of=/dev/(?:sd|nvme|hd|vd)|> ?/dev/(?:sd|nvme|hd|vd)[a-z0-9]"),
    Rule::new(SHELL, r">> ?[^ ]*(?:\.ssh/authorized_keys|/etc/(?:passwd|sudoers|crontab))|\bchmod (?:-r )?(?:777|a\+rwx) /(?: |$)"),
    // Tool directives
    Rule::new(TOOL, r"<[ /]{0,3}(?:tool_call|tool_use|function_calls?|invoke name|tool_result)\b"),
    Rule::new(TOOL, r"\b(?:call|invoke|run|execute|trigger|use) (?:the |this |a |your |following )*(?:[^ ]+ ){0,3}(?:tool|function|mcp|plugin|command|script|shell|terminal|api)\b").near(STEALTH),
    Rule::new(TOOL, r"\b(?:you must|you should|always|immediately|the (?:assistant|agent|model) must) (?:immediately |first |always )?(?:call|invoke|execute) (?:the |your |this )?[^ ]+ tool\b"),
    Rule::new(TOOL, r"\b(?:when|whenever|every time|each time|as soon as) (?:you|the (?:assistant|agent|model)) (?:[^ ]+ ){1,12}?(?:call|invoke|execute|run) (?:[^ ]+ ){0,4}(?:tool|function|command|script)\b (?:[^ ]+ ){0,4}(?:with|on|and|to|using) (?:[^ ]+ ){0,4}(?:all|secret|password|credential|key|delete|transfer|forward|send)"),
];
