//! Scripts and styles without the parts that are for people alone.

use minifier::js::{Keyword, ReservedChar, Token, Tokens, clean_tokens, simple_minify};

/// Minifies a script: removes comments, blanks, and the commas and semicolons that a closing
/// bracket makes superfluous, and joins the declarations of constants that follow each other.
/// Statements end in semicolons, and arrays have no holes.
///
/// The minifier has limits: `a - -b` becomes `a--b`, and quotes, and slashes in classes, break a
/// regular expression. A test of the page compares the syntax tree of each script as served with
/// that of its source.
pub(crate) fn script(text: &str) -> String {
    simple_minify(text)
        .apply(clean_tokens)
        .apply(without_separators)
        .apply(with_joined_constants)
        .to_string()
}

/// Minifies a style.
///
/// # Panics
/// If the style has a fault: tests read every style of the page.
pub(crate) fn style(text: &str) -> String {
    let style = minifier::css::minify(text).expect("the style has no fault");
    style.to_string().trim().replace(";}", "}")
}

/// Removes commas before any closing bracket, and semicolons before `}`.
fn without_separators(tokens: Tokens<'_>) -> Tokens<'_> {
    use ReservedChar::{CloseBracket, CloseCurlyBrace, CloseParenthese, Comma, SemiColon};
    let mut out: Vec<Token<'_>> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let last = out.last().and_then(Token::get_char);
        match (last, token.get_char()) {
            (Some(Comma), Some(CloseParenthese | CloseBracket | CloseCurlyBrace))
            | (Some(SemiColon), Some(CloseCurlyBrace)) => {
                out.pop();
            }
            _ => {}
        }
        out.push(token);
    }
    out.into()
}

/// Joins the declarations of constants that follow each other: `const a=1;const b=2;` becomes
/// `const a=1,b=2;`.
fn with_joined_constants(tokens: Tokens<'_>) -> Tokens<'_> {
    use ReservedChar::{
        CloseBracket, CloseCurlyBrace, CloseParenthese, Comma, OpenBracket, OpenCurlyBrace,
        OpenParenthese, SemiColon, Space,
    };
    let is_const =
        |token: Option<&Token<'_>>| matches!(token, Some(Token::Keyword(Keyword::Const)));
    let mut out: Vec<Token<'_>> = Vec::with_capacity(tokens.len());
    // True for each open bracket in a declaration of constants, and for the present statement.
    let mut outer = Vec::new();
    let mut declares = false;
    let mut begins = true;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token.get_char() {
            Some(OpenParenthese | OpenBracket | OpenCurlyBrace) => {
                outer.push(std::mem::take(&mut declares));
                begins = token.get_char() == Some(OpenCurlyBrace);
            }
            Some(CloseParenthese | CloseBracket | CloseCurlyBrace) => {
                declares = outer.pop().unwrap_or_default();
                begins = token.get_char() == Some(CloseCurlyBrace) && !declares;
            }
            Some(SemiColon) if declares && is_const(tokens.peek()) => {
                tokens.next();
                tokens.next_if(|token| token.get_char() == Some(Space));
                out.push(Token::Char(Comma));
                continue;
            }
            Some(SemiColon) => {
                declares = false;
                begins = true;
            }
            _ => {
                declares |= begins && is_const(Some(&token));
                begins = false;
            }
        }
        out.push(token);
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_keep_what_counts() {
        for (text, left) in [
            ("/** One. */\n\nconst a = 1;\n", "const a=1;"),
            ("/* x */ /* y */ f(); // z\n// g\n", "f();"),
            ("const a = /** @type {A} */ (h);\n", "const a=(h);"),
            ("'/* m */';\n'// n  o';\n", "'/* m */';'// n  o';"),
            ("x = `a, ${b, c}  //`;\n", "x=`a, ${b, c}  //`;"),
            ("x = `a\n\tb`;\n", "x=`a\n\tb`;"),
            ("x = a / b / (c);\n", "x=a/b/(c);"),
            ("x = /^\\/[^b] c$/.exec(a);\n", "x=/^\\/[^b] c$/.exec(a);"),
            ("x = 'a\\' = b';\n", "x='a\\' = b';"),
            ("x = \"it's = \";\n", "x=\"it's = \";"),
            ("f(\n\ta,\n\tb,\n);\n", "f(a,b);"),
            ("x = [\n\t{ a, },\n];\n", "x=[{a}];"),
            ("function f() {\n\treturn 1;\n}\n", "function f(){return 1}"),
            ("for (;;) {\n\tg();\n}\n", "for(;;){g()}"),
            (
                "export const a = async () => {};\n",
                "export const a=async()=>{};",
            ),
            (
                "import { a, b } from './c.js';\n",
                "import{a,b}from'./c.js';",
            ),
            ("x = y ? .5 : 0.25;\n", "x=y?.5:0.25;"),
            (
                "const a = 1;\nconst { b } = f(a, () => {\n\tg();\n});\nconst [c] = b;\n",
                "const a=1,{b}=f(a,()=>{g()}),[c]=b;",
            ),
            (
                "export const a = 1;\nconst b = () => {\n\tconst c = 2;\n\tconst d = 3;\n\th();\n};\n\
                 let e;\nconst f = 4;\n",
                "export const a=1;const b=()=>{const c=2,d=3;h()};let e;const f=4;",
            ),
            (
                "if (a) {\n\tf();\n}\nconst b = 1;\nfor (const c of b) f(c);\nconst d = 2;\n",
                "if(a){f()}const b=1;for(const c of b)f(c);const d=2;",
            ),
        ] {
            assert_eq!(script(text), left, "{text:?}");
        }
    }

    #[test]
    fn styles_keep_the_blanks_of_selectors_and_values() {
        for (text, left) in [
            ("/* x */\n.a {\n\tcolor: red;\n}\n", ".a{color:red}"),
            (
                "nav a:hover,\n.b > .c {\n\tfont: 1rem/2 'A B', serif;\n\ttop: calc(1px + 2px);\n}\n",
                "nav a:hover,.b>.c{font:1rem/2 'A B',serif;top:calc(1px + 2px)}",
            ),
            (
                "@media (max-width: 560px) {\n\ta b {\n\t\tfont:\n\t\t\t1rem a,\n\t\t\tb;\n\t}\n}\n",
                "@media (max-width:560px){a b{font:1rem a,b}}",
            ),
        ] {
            assert_eq!(style(text), left, "{text:?}");
        }
    }
}
