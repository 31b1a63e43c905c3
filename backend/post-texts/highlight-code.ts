// Code samples of a cleaned body -> the same with its parts in classes of ours (`c-k` keyword,
// `c-s` string, `c-n` number, `c-f` function, `c-t` type, `c-a` attribute or variable, `c-c`
// comment). Pure, and as slow as its input is hostile: text-worker-pool.ts runs it in a thread.

import hljs from 'highlight.js/lib/common'
import { findCodeLanguage, PLAIN_CODE } from '#contract/code-languages.ts'
import { decodeEntity, trimEndChars } from '#contract/plain-text.ts'

// The name of HTML in `code-languages.ts`.
hljs.registerAliases('markup', { languageName: 'xml' })

/** Scopes of the highlighter by class; a narrower one goes before the one it belongs to. */
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
  Object.entries(SCOPES).flatMap(([name, scopes]) => scopes.split(' ').map((one) => [one, name])),
)
/** Expressions within a string are code again. */
const PLAIN = new Set(['subst'])
/** In a list of parameters only the names are marked, not the signs around them. */
const NAMES_ONLY = 'params'
const NAME = /[$_\p{L}][$\w\p{L}]*/gu

const TOKEN = /<span class="([^"]*)">|<\/span>|([^<]+)/g
const ENTITY = /&(?:[a-z]+|#\w+);/

/**
 * @param html the inside of a sample: escaped text and line breaks, nothing else
 * @param language any name of it
 * @returns the same text with parts in classes; undefined when nothing can be said of it
 */
export function highlightCode(html: string, language: string): string | undefined {
  const id = findCodeLanguage(language)?.id
  const code = plainCode(html)
  if (!id || id === PLAIN_CODE || code === undefined) return undefined
  return toOwnClasses(hljs.highlight(code, { language: id, ignoreIllegals: true }).value)
}

/** One flat row of spans: the innermost scope that means something counts. */
function toOwnClasses(highlighted: string): string {
  const scopes: (string | undefined)[] = []
  let html = ''
  for (const [, opened, text] of highlighted.matchAll(TOKEN)) {
    if (opened !== undefined) scopes.push(scopeOf(opened) ?? scopes.at(-1))
    else if (text === undefined) scopes.pop()
    else html += spanOf(scopes.at(-1), text)
  }
  return html
}

/** `hljs-title function_` is the scope `title.function`; undefined for one without a class. */
function scopeOf(classes: string): string | undefined {
  const [first = '', second = ''] = classes.split(' ')
  const name = first.replace(/^hljs-/, '')
  const narrower = `${name}.${trimEndChars(second, '_')}`
  if (CLASSES[narrower]) return narrower
  return CLASSES[name] || PLAIN.has(name) ? name : undefined
}

function spanOf(scope: string | undefined, text: string): string {
  const name = scope && CLASSES[scope]
  if (!name || text.trim() === '') return text
  if (scope !== NAMES_ONLY) return `<span class="${name}">${text}</span>`
  return ENTITY.test(text)
    ? text
    : text.replace(NAME, (word) => `<span class="${name}">${word}</span>`)
}

/** The code as it was written; undefined for HTML with elements. */
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
