// Code samples of a cleaned body -> the same with its parts in classes of ours (`c-k` keyword,
// `c-s` string, `c-n` number, `c-f` function, `c-t` type, `c-a` attribute or variable, `c-c`
// comment). Pure, and as slow as its input is hostile: text-work.ts runs it in a thread.

import type { LanguageFn } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import markup from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { findCodeLanguage } from '#contract/code-languages.ts'
import { trimmedEnd } from '#contract/plain-text.ts'
import { plainCode } from './text-work.ts'

const GRAMMARS: Readonly<Record<string, LanguageFn>> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  go,
  markup,
  java,
  javascript,
  json,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  yaml,
}
for (const [id, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(id, grammar)
// By this name HTML names the grammars of its styles and scripts, and PHP that of its pages.
hljs.registerLanguage('xml', markup)

/** Scopes of the highlighter; a narrower one goes before the one it belongs to. */
const CLASSES: Readonly<Record<string, string>> = {
  keyword: 'c-k',
  'selector-tag': 'c-k',
  'variable.language': 'c-k',
  name: 'c-k',
  meta: 'c-k',
  string: 'c-s',
  regexp: 'c-s',
  char: 'c-s',
  link: 'c-s',
  code: 'c-s',
  number: 'c-n',
  literal: 'c-n',
  symbol: 'c-n',
  bullet: 'c-n',
  'variable.constant': 'c-n',
  title: 'c-f',
  section: 'c-f',
  'title.class': 'c-t',
  type: 'c-t',
  built_in: 'c-t',
  'selector-class': 'c-t',
  'selector-id': 'c-t',
  'selector-pseudo': 'c-t',
  'selector-attr': 'c-t',
  attr: 'c-a',
  attribute: 'c-a',
  variable: 'c-a',
  property: 'c-a',
  params: 'c-a',
  'template-variable': 'c-a',
  comment: 'c-c',
  doctag: 'c-c',
  quote: 'c-c',
}
/** What is computed within a string is code again. */
const PLAIN = new Set(['subst'])
/** Around the names of its parameters a list of them has signs, which are nothing special. */
const NAMES_ONLY = 'params'
const NAME = /[$_\p{L}][$\w\p{L}]*/gu

const TOKEN = /<span class="([^"]*)">|<\/span>|([^<]+)/g
const ENTITY = /&(?:[a-z]+|#\w+);/

/** Whether something of samples in this language is highlighted. */
export function isHighlighted(language: string): boolean {
  return hljs.getLanguage(language) !== undefined
}

/**
 * @param html the inside of a sample: escaped text and line breaks, nothing else
 * @param language any name of it
 * @returns the same text with parts in classes; undefined when nothing can be said of it
 */
export function highlightCode(html: string, language: string): string | undefined {
  const id = findCodeLanguage(language)?.id
  const code = plainCode(html)
  if (!id || code === undefined || !isHighlighted(id)) return undefined
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
  const narrower = `${name}.${trimmedEnd(second, '_')}`
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
