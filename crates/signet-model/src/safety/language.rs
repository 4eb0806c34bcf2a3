//! "Ignore your instructions", in the languages that such texts are written in.
//!
//! Latin letters stand without accents, as in the plain form. Each pattern asks for a verb of
//! dismissal, something that makes the instructions those of the reader (previous, all, system), and a
//! word for instructions, so that "ignore the noise" and "follow the instructions" stay clean.

/// One pattern a language and word order.
pub(super) const OVERRIDES: [&str; 24] = [
    // English
    r"\b(?:ignore|disregard|forget|override|bypass|neglect|discard|dismiss|violate|do not follow|don.?t follow|stop following|pay no attention to) (?:[^ ]+ ){0,3}(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|system|developer|existing|current|safety|your|all|any|every) (?:[^ ]+ ){0,3}(?:instruction|prompt|guideline|directive|command|rule|order|polic(?:y|ies)|programming|training|restriction|constraint|safeguard)",
    r"\b(?:ignore|disregard|forget) (?:everything|all|anything) (?:[^ ]+ ){0,3}(?:above|before|previously|prior|so far|told)",
    r"\b(?:ignore|disregard|forget|override|bypass) (?:all )?(?:of )?(?:the |these |those |my |your |his |her |their )?(?:instructions|guidelines|directives) (?:above|before|given|you were|you have|you received|from (?:the )?(?:user|system|developer|owner))",
    r"\bnew (?:system )?(?:instructions|directives) ?(?:supersede|replace|override|follow)",
    // German
    r"\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|missacht\w*|uberge(?:h|he|hen)|verwirf|verwerf\w*|uberschreib\w*) (?:[^ ]+ ){0,3}(?:vorherig\w*|vorig\w*|bisherig\w*|obig\w*|fruher\w*|vorangegangen\w*|vorhergehend\w*|ursprunglich\w*|alle|allen|deine|deiner|ihre|samtliche\w*) (?:[^ ]+ ){0,2}(?:anweisung|instruktion|anordnung|befehl|regel|vorgabe|richtlinie|prompt|systemprompt)",
    r"\b(?:beacht\w*|befolg\w*) (?:[^ ]+ ){0,4}(?:anweisungen|instruktionen|regeln|vorgaben|befehle) nicht",
    // French
    r"\b(?:ignore[rz]?|ignores|oublie[rz]?|oublies|neglige[rz]?|meprise[rz]?|contourne[rz]?|ne (?:tiens|tenez|suis|suivez|respecte|respectez) (?:pas|plus)(?: compte)?|fai(?:s|tes) abstraction) (?:[^ ]+ ){0,4}(?:instruction|consigne|directive|regle|ordre|commande)s? (?:[^ ]+ ){0,2}(?:precedent|anterieur|ci-dessus|initial|d.origine|du systeme|systeme|plus haut|recu)",
    r"\b(?:ignore[rz]?|ignores|oublie[rz]?|oublies|neglige[rz]?) (?:toutes? |tous )(?:[^ ]+ ){0,2}(?:precedent\w* )?(?:instruction|consigne|directive|regle|ordre)s?",
    // Spanish
    r"\b(?:ignor(?:a|e|ad|en|ar)|olvid(?:a|e|ad|en|ar)|descart(?:a|e|en|ar)|omit(?:e|a|an|ir)|desatiend[ae]|desobedec\w*|no (?:hagas|haga) caso (?:de|a)|haz caso omiso (?:de|a)|pasa por alto) (?:[^ ]+ ){0,4}(?:instruccion|indicacion|orden|regla|directri[zc]|directiva|comando)(?:es|s)? (?:[^ ]+ ){0,2}(?:anterior|previ[oa]|precedent|del sistema|inicial|de arriba|recibid)",
    r"\b(?:ignor(?:a|e|ad|en|ar)|olvid(?:a|e|ad|en|ar)|descart(?:a|e|en|ar)) (?:todas? |todos )(?:[^ ]+ ){0,3}(?:instrucciones|indicaciones|ordenes|reglas|directrices|directivas)",
    // Italian
    r"\b(?:ignor(?:a|ate|are|i)|dimentic(?:a|ate|are|hi)|trascur(?:a|ate|are)|tralasci(?:a|ate|are)|non (?:considerare|seguire|tenere conto)) (?:[^ ]+ ){0,4}(?:istruzion|indicazion|direttiv|regol|comand|ordin)[ieao]\w* (?:[^ ]+ ){0,2}(?:precedent|anterior|di cui sopra|sopra|inizial|di sistema|del sistema|ricevut)",
    r"\b(?:ignor(?:a|ate|are|i)|dimentic(?:a|ate|are|hi)|trascur(?:a|ate|are)) (?:tutte |tutti |ogni )(?:[^ ]+ ){0,3}(?:istruzion|indicazion|direttiv|regol|comand|ordin)[ieao]",
    r"\b(?:ignor(?:a|ate|are|i)|dimentic(?:a|ate|are|hi)) (?:[^ ]+ ){0,2}precedenti (?:istruzioni|indicazioni|direttive|regole)",
    // Portuguese
    r"\b(?:ignor(?:e|a|em|ar)|esque(?:ca|cam|cer)|desconsider(?:e|a|em|ar)|descart(?:e|a|em|ar)|desobede\w+|nao (?:siga|considere)) (?:[^ ]+ ){0,4}(?:instruc(?:ao|oes)|orientac(?:ao|oes)|ordens?|regras?|diretriz(?:es)?|comandos?) (?:[^ ]+ ){0,2}(?:anterior|previ[ao]|acima|precedent|do sistema|inicia|recebid)",
    r"\b(?:ignor(?:e|a|em|ar)|esque(?:ca|cam|cer)|desconsider(?:e|a|em|ar)) (?:todas? |todos )(?:[^ ]+ ){0,3}(?:instrucoes|orientacoes|ordens|regras|diretrizes|comandos)",
    // Russian
    r"(?:игнорируй|игнорировать|проигнорируй|забудь|забудьте|отбрось|отмени|не обращай внимания на|не обращайте внимания на|не следуй|пренебреги)[^ ]* (?:[^ ]+ ){0,3}(?:предыдущ|прежн|прошл|вышеуказанн|первоначальн|исходн|системн|все|всех|всеми|свои|твои|ваши)[^ ]* (?:[^ ]+ ){0,3}(?:инструкци|указани|правил|команд|распоряжени|промпт|предписани)",
    r"(?:игнорируй|игнорировать|проигнорируй|забудь)[^ ]* (?:[^ ]+ ){0,2}(?:инструкци|указани|правил|команд)[^ ]* (?:выше|ранее|до этого|системы)",
    // Chinese
    r"(?:忽略|无视|無視|忽視|忽视|忘记|忘記|忘掉|不要理会|不要理會|不理会|抛开|绕过|不要遵守|不再遵守)[^。\n]{0,12}(?:之前|以前|先前|上面|以上|前面|此前|原有|所有|全部|一切|系统|系統|你的)[^。\n]{0,8}(?:指令|指示|说明|說明|提示|规则|規則|命令|要求|设定|設定|限制)",
    // Japanese
    r"(?:以前|これまで|今まで|上記|先ほど|前述|すべて|全て|元|システム|あなた)[^。\n]{0,10}(?:指示|命令|ルール|プロンプト|規則|設定|制約|インストラクション)[^。\n]{0,6}(?:無視|忘れ|破棄|従わない|従うな|取り消)",
    r"(?:無視|忘れ)[^。\n]{0,8}(?:以前|これまで|上記|すべて|全て)[^。\n]{0,8}(?:指示|命令|ルール|プロンプト)",
    // Korean
    r"(?:이전|앞선|앞의|위의|기존|모든|지금까지|시스템|당신의)[^.\n]{0,12}(?:지시|명령|지침|규칙|프롬프트|설정|제한)[^.\n]{0,8}(?:무시|잊어|잊으|따르지|어겨)",
    // Hindi
    r"(?:पिछल|पहले|पूर्व|उपरोक्त|सभी|ऊपर|सारे)[^।\n]{0,24}(?:निर्देश|आदेश|नियम|हिदायत|अनुदेश)[^।\n]{0,18}(?:अनदेखा|अनदेखी|नज\u{93c}?रअंदाज\u{93c}?|नज\u{93c}?रअन्दाज|उपेक्षा|भूल|भुला|ध्यान न)",
    r"(?:अनदेखा|अनदेखी|उपेक्षा|भूल)[^।\n]{0,16}(?:पिछल|पहले|पूर्व|सभी)[^।\n]{0,16}(?:निर्देश|आदेश|नियम)",
    // English again, without spaces: what is left when every letter was spaced out
    r"ignore(?:all)?(?:your|my|the)?(?:previous|prior)(?:instruction|prompt|rule)",
];
