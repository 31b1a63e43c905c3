// Highlights code samples of a cleaned body with CSS classes of this project (`c-k` keyword, `c-s`
// string, `c-n` number, `c-f` function, `c-t` type, `c-a` attribute or variable, `c-c` comment).
// Pure. Hostile input makes it slow, so text-worker-pool.ts runs it in a worker.

import hljs from 'highlight.js/lib/common'
import { findCodeLanguage, PLAIN_CODE } from '#contract/code-languages.ts'
import { decodeEntity, trimEndChars } from '#contract/plain-text.ts'

// `code-languages.ts` calls HTML `markup`.
hljs.registerAliases('markup', { languageName: 'xml' })

/** The scopes of highlight.js by class; `title.class` is narrower than `title`. */
const SCOPES = {
  'c-k': 'keyword selector-tag variable.language name meta',
  'c-s': 'string regexp char link code',
  'c-n': 'number literal symbol bullet variable.constant',
  'c-f': 'title section',
  'c-t': 'title.class type built_in selector-class selector-id selector-pseudo selector-attr',
  'c-a': 'attr attribute variable property params template-variable',
  'c-c': 'comment doctag quote',
}
const CLASSES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SCOPES).flatMap(([name, scopes]) =>
    scopes.split(' ').map((scope) => [scope, name]),
  ),
)
/** Expressions inside a string, which are not highlighted as a string. */
const UNMARKED = new Set(['subst'])
/** In a list of parameters only the names get a class, not the punctuation. */
const NAMES_ONLY = 'params'
const NAME = /[$_\p{L}][$\w\p{L}]*/gu

const TOKEN = /<span class="([^"]*)">|<\/span>|([^<]+)/g
const ENTITY = /&(?:[a-z]+|#\w+);/

/**
 * @param html the inside of a sample: escaped text and line breaks, nothing else
 * @param language the id or an alias of a language
 * @returns the same text with classes; undefined for plain code, and when the language is unknown
 */
export function highlightCode(html: string, language: string): string | undefined {
  const id = findCodeLanguage(language)?.id
  const code = plainCode(html)
  if (!id || id === PLAIN_CODE || code === undefined) return undefined
  return toProjectClasses(hljs.highlight(code, { language: id, ignoreIllegals: true }).value)
}

/** Flattens nested spans: the innermost scope that has a class counts. */
function toProjectClasses(highlighted: string): string {
  const scopes: (string | undefined)[] = []
  let html = ''
  for (const [, opened, text] of highlighted.matchAll(TOKEN)) {
    if (opened !== undefined) scopes.push(scopeOf(opened) ?? scopes.at(-1))
    else if (text === undefined) scopes.pop()
    else html += spanOf(scopes.at(-1), text)
  }
  return html
}

/** `hljs-title function_` is the scope `title.function`; undefined for scopes without a class. */
function scopeOf(classes: string): string | undefined {
  const [first = '', second = ''] = classes.split(' ')
  const name = first.replace(/^hljs-/, '')
  const narrower = `${name}.${trimEndChars(second, '_')}`
  if (CLASSES[narrower]) return narrower
  return CLASSES[name] || UNMARKED.has(name) ? name : undefined
}

function spanOf(scope: string | undefined, text: string): string {
  const name = scope && CLASSES[scope]
  if (!name || text.trim() === '') return text
  if (scope !== NAMES_ONLY) return `<span class="${name}">${text}</span>`
  return ENTITY.test(text)
    ? text
    : text.replace(NAME, (word) => `<span class="${name}">${word}</span>`)
}

/** The unescaped code; undefined for HTML with elements or unknown entities. */
export function plainCode(html: string): string | undefined {
  const text = html.replace(/<br[^<>]*>/g, '\n')
  if (text.includes('<')) return undefined
  let isKnown = true
  const code = text.replace(/&(#?\w+);/g, (entity: string, name: string) => {
    const character = decodeEntity(entity, name)
    if (character === entity || character === '') isKnown = false
    return character
  })
  return isKnown ? code : undefined
}
