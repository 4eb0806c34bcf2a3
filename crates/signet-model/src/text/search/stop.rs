//! Function words per language: what a question is made of, not what it asks for.
//!
//! A language without a list keeps all its words.

/// A language with a list of function words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Russian.
    Russian,
}

impl Language {
    const ALL: [Self; 7] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Portuguese,
        Self::Russian,
    ];

    /// Whether the folded word is a function word of the language.
    pub fn is_function_word(self, word: &str) -> bool {
        self.list().split_ascii_whitespace().any(|listed| listed == word)
    }

    const fn list(self) -> &'static str {
        match self {
            Self::English => ENGLISH,
            Self::German => GERMAN,
            Self::French => FRENCH,
            Self::Spanish => SPANISH,
            Self::Italian => ITALIAN,
            Self::Portuguese => PORTUGUESE,
            Self::Russian => RUSSIAN,
        }
    }
}

/// The language whose function words stand most often among folded words; the first of equals.
/// `None` when there is no function word of any list.
pub fn language<'a>(words: &(impl Iterator<Item = &'a str> + Clone)) -> Option<Language> {
    let mut best = None;
    let mut most = 0;
    for language in Language::ALL {
        let count = words.clone().filter(|word| language.is_function_word(word)).count();
        if count > most {
            most = count;
            best = Some(language);
        }
    }
    best
}

// Words as the index folds them: lower case, Latin marks off, apostrophes parted.
const ENGLISH: &str = "a about above after again against ago all also am an and any are aren as at be because been \
before being below between both but by can cannot could couldn d did didn do does doesn doing don down during each \
else ever few for from further get gets got had hadn has hasn have haven having he her here hers herself him himself \
his how i if in into is isn it its itself just ll m may me might more most much must my myself near no nor not now of \
off on once only or other our ours ourselves out over own re s same she should shouldn since so some such t than that \
the their theirs them themselves then there these they this those through to too under until up upon us ve very was \
wasn we were weren what when where which while who whom whose why will with within without won would wouldn yet you \
your yours yourself yourselves";

const GERMAN: &str = "aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann \
das dass dein deine dem den denn der des dessen deren dich die dies diese diesem diesen dieser dieses dir doch dort du \
durch ein eine einem einen einer eines er es euch euer fur gegen habe haben hat hatte hatten hier hin hinter ich ihm \
ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine konnen mal man \
mein meine mich mir mit muss nach nicht noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie \
sind so soll sondern uber um und uns unser unter vom von vor wann war waren warum was weil welche welchem welchen \
welcher welches wenn wer werden wie wieder will wir wird wo wurde zu zum zur";

const FRENCH: &str = "a ai alors as au aucun aussi autre aux avait avec avez avoir avons c ce ceci cela ces cet cette chez \
ci comme comment d dans de depuis des dont donc du elle elles en encore es est et etait ete etre eu eux fait fut ici il \
ils j je l la le les leur leurs lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par pas pendant plus \
pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont sous sur t ta te tes toi \
ton tous tout toute toutes tres tu un une vos votre vous y";

const SPANISH: &str = "a al algo ante antes aqui asi aun como con contra cual cuales cuando cuanto de del desde donde dos el \
ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estan estar estas este esto estos fue fueron ha \
habia hace hacia han hasta hay la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros o os otra otro para \
pero por porque pues que quien quienes se sea ser si sido sin sobre son su sus tambien tan te tiene tienen todo todos tu \
tus un una uno unos y ya yo";

const ITALIAN: &str = "a abbia agli ai al alla alle allo anche ancora aveva c che chi ci cio come con contro cosa cui da dagli \
dai dal dalla dalle dei del della delle dello di dove dopo e ed era erano essere fa fra gli ha hai hanno ho i il in io l \
la le lei li lo loro lui ma mi mia mio ne nei nel nella nelle no noi non nostra nostro o per perche piu poi qual quale \
quali quando quanto quella quelle quelli quello questa queste questi questo qui se sei si sia siamo sono stata stato su \
sua sue sui sul sulla suo tra tu tua tuo un una uno vi voi";

const PORTUGUESE: &str = "a ao aos aquela aquele aqui as ate cada com como da das de dela dele deles depois do dos e ela elas \
ele eles em entre era eram essa esse esta estao estar estava este eu foi foram ha isso isto ja la lhe mais mas me mesmo \
meu minha muito na nao nas nem no nos nossa nosso o onde os ou para pela pelas pelo pelos por porque quais qual quando \
quanto que quem se sem ser seu seus so sua suas tambem te tem tinha tu um uma umas uns voce voces";

const RUSSIAN: &str = "а без более был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее \
если есть еще же за здесь и из или им их к как какая какие какой ко когда кто куда ли либо между меня мне много мои мой \
моя мы на над нам нас не него нее нет ни них но ну о об он она они оно от очень по под после потому почему при про с со \
так также такой там то того тоже только том тот ты у уже хотя чего чей чем что чтобы эта эти это этого этой этом этот я";
