"""The words that the offline provider knows, folded, in Portuguese and English."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


STOP = word_set(
    # Portuguese
    "a o as os um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas "
    "para pra pro pras pros com sem sob sobre ao aos e ou mas que se eu tu voce voces vc vcs ele ela "
    "eles elas me te lhe lhes meu minha meus minhas seu sua seus suas nosso nossa este esta estes "
    "estas esse essa esses essas isso isto aquele aquela aquilo ser sou e sao era eh somos estar "
    "estou esta estao estamos ta to ter tenho tem temos tinha ha foi fui ir vai vou vamos ja so "
    "tambem muito muita mais menos la ai aqui ali entao bem nao sim sei quer quero queria queremos "
    "querem quiser gostaria deseja desejo precisa preciso precisamos pede pedir peco pergunta "
    "perguntar pergunto diz dizer fala cita menciona algo alguma algum "
    # English
    "an the of in on at by for to from with without about and or but that this these those it its "
    "i i'm im i'd i'll i've me my you your we our us they their them he she his her is are was were "
    "be been am it's that's do does did don't doesn't have has had will would can could should may "
    "might please so just also very than then there here not no yes asks ask asking wants want says "
    "say mentions mention tells tell would like gets get needs need some any something anything"
)
"""Words that say nothing of the subject, and those with which authors introduce a phrase."""

LIGHT = word_set(
    "como quando onde quanto quanta quantos quantas qual quais quem porque cade oi ola bom boa dia "
    "tarde noite obrigado obrigada valeu cliente how when where what who which why long much many "
    "hi hello hey good morning afternoon evening thanks thank customer greet"
)
"""Words that tell little of the subject."""

KIN: dict[str, str] = {
    word: name
    for name, words in {
        "human": "humano humana pessoa alguem gente atendente atendentes human person "
        "someone somebody agent operator representative",
        "price": "preco precos valor valores custo custos custa custam price prices cost costs pricing",
        "quote": "orcamento orcamentos cotacao cotacoes cotar orcar quote quotes quotation estimate",
        "booking": "marcar marco agendar agendamento marcacao book booking schedule appointment",
        "greet": "oi ola hi hello hey cumprimenta cumprimentar saudacao greets greeting greet",
        "talk": "falar fale falo conversar conversa talk speak speaking talking",
    }.items()
    for word in words.split()
}
"""Words that mean the same often enough."""

ENDINGS = sorted(
    word_set(
        "amentos imentos amento imento acoes acao adores ador ando endo indo ados adas ado ada idos idas "
        "ido ida aria eria iria aram eram ias ia ar er ir ou ei eu iu am em as os es a o e s ings ing "
        "ations ation ments ment ers ed ies ly y"
    ),
    key=lambda ending: (-len(ending), ending),
)
"""Endings of which the longest that leaves four letters is cut off."""

# --- yes, no, questions -------------------------------------------------------------------------

YES = word_set(
    "sim claro yes yep yeah yup sure aceito aceita concordo confirmo confirmado topo topamos"
)
"""Words that mean yes at the start of any message."""
NO = word_set("nao nope nah nunca negativo never")
"""Words that mean no at the start of any message."""
YES_ALONE = word_set(
    "isso exato exatamente certo certeza correto perfeito fechado combinado beleza blz ok okay okey "
    "uhum aham s ss positivo absolutely correct right exactly definitely perfect agreed confirmed"
)
"""Words that mean yes only where little else is said."""
YES_PHRASES = frozenset(
    (
        *("quero", "queremos", "quero sim", "pode", "pode ser", "bora", "vamos", "vamos la"),
        *("por favor", "com certeza", "tudo bem", "sounds good", "looks good", "go ahead"),
        *("of course", "please", "yes please", "fine", "deal", "i do", "i am", "it is", "they are"),
    )
)
"""Messages that are a yes as a whole."""
NO_ALONE = word_set(
    "n errado errada incorreto incorreta errou wrong incorrect not don't doesn't isn't"
)
"""Words that mean no only where little else is said."""

CONSENT = word_set(
    "sim aceita aceitou aceitar confirma confirmou confirmar concorda concordou aprova aprovou topa "
    "topou yes accepts accept accepted confirms confirm confirmed agrees agree agreed approves"
)
"""Words of a question that a yes answers."""
REFUSAL = word_set(
    "nao recusa recusou nega negou desiste desistiu rejeita errado errada errou incorreto corrigir no "
    "not declines refuses refused denies rejects wrong incorrect doesn't isn't don't"
)
"""Words of a question that a no answers."""

ASKING = word_set(
    "qual quais quanto quanta quantos quantas como quando onde quem cade sera what what's how when "
    "where where's who why which can could do does did is are will would"
)
"""Words with which a question begins, also where nobody types the mark."""
ASKING_PHRASES = (
    "por que",
    "o que",
    "queria saber",
    "quero saber",
    "gostaria de saber",
    "me explica",
    "tem como",
    "tenho uma duvida",
    "i wonder",
    "i'd like to know",
    "want to know",
    "tell me",
    "explain",
)
ASK_VERBS = word_set("pergunta perguntar pergunte asks ask asking")
"""Words with which an author's phrase says that the customer asks."""

GREETINGS = word_set(
    "oi oie ola opa alo eai bom boa dia tarde noite tudo bem hi hello hey good morning"
)
GREETINGS_ALSO = word_set("afternoon evening there e ai como vai")
THANKS = word_set("obrigado obrigada obg valeu brigado brigada agradeco thanks thank thx cheers")
BYES = word_set("tchau adeus ate bye goodbye")

INTENT = word_set(
    "quero queria preciso gostaria posso pode podem want need can could would do does i"
)
"""Words with which no name begins."""

# --- subjects of fields -------------------------------------------------------------------------

MONEY = (
    "orcamento budget valor preco custo conta renda faturamento salario reais gasto parcela price "
    "cost bill revenue spend amount income salary payment dollars euros verba investimento"
)
PEOPLE = (
    "tamanho porte funcionario colaborador pessoa equipe empregado convidado hospede aluno size "
    "employee people team headcount staff guest person company members"
)
MONEY_UNITS = word_set(
    "reais real conto contos dolares dolar euros euro dollars dollar bucks usd brl"
)
PEOPLE_UNITS = word_set(
    "pessoas pessoa funcionarios funcionario colaboradores empregados convidados hospedes alunos "
    "membros people employees person staff guests members"
)

# --- names --------------------------------------------------------------------------------------

SURNAMES = word_set(
    "silva santos souza sousa oliveira costa lima cruz rocha luz paz rosa conceicao cunha fonseca "
    "silveira paula jesus almeida andrade castro melo freitas moraes barros araujo carvalho"
)
"""What follows `da` or `de` in a person's name, not in a company's."""
NOT_NAMES = word_set(
    "dono dona gerente responsavel mesmo mesma diretor diretora socio socia proprietario proprietaria "
    "cliente medico medica professor professora advogado advogada estudante vendedor vendedora novo "
    "nova unico unica primeiro primeira favor contra pai mae irma irmao owner manager good fine ok "
    "okay interested looking sorry happy sad busy ready done afraid not sure calling writing "
    "trying thinking from in on at just really still glad also great all"
)
