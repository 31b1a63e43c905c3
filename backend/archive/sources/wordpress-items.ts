// Reads a WXR file as a stream (sax): a file of gigabytes takes no more memory than its longest
// post. No entity is taken from the file, and nothing is loaded.
import sax from 'sax'
import { type FileTree, SourceProblem } from './source.ts'

export type WordpressItem = {
  /** Values of the element's children, by name, such as `wp:post_id`. */
  values: Map<string, string>
  meta: Map<string, string>
  terms: { domain: string; nicename: string; name: string }[]
  comments: Map<string, string>[]
  /** Whether the text is too long to be a post. */
  isTooLong: boolean
}

export type WordpressEvents = {
  /** Elements of the channel itself, such as `title`. */
  onSite(name: string, value: string): void
  onAuthor(values: Map<string, string>): void
  onItem(item: WordpressItem): void
  /** Comments of an item that has very many, before the item. */
  onComments(item: WordpressItem): void
  onProgress(bytes: number): void
}

const SITE = new Set(['title', 'link', 'description', 'generator', 'wp:base_blog_url'])
const ITEM = new Set(
  [
    'title link pubDate dc:creator guid content:encoded excerpt:encoded wp:attachment_url',
    'wp:post_id wp:post_date wp:post_date_gmt wp:post_modified wp:post_modified_gmt wp:post_name',
    'wp:comment_status wp:status wp:post_parent wp:post_type wp:post_password category',
  ].flatMap((names) => names.split(' ')),
)
const COMMENT = new Set(
  'id author author_email date date_gmt content approved type parent'
    .split(' ')
    .map((name) => `wp:comment_${name}`),
)
const META = new Set(
  [
    '_thumbnail_id _wp_attachment_image_alt _wp_old_slug footnotes',
    '_yoast_wpseo_title _yoast_wpseo_metadesc _yoast_wpseo_canonical',
    'rank_math_title rank_math_description rank_math_canonical_url',
  ].flatMap((names) => names.split(' ')),
)
/** Twice what a post may have when it is sent: markup of other programs is long. */
const CONTENT_MAX_CHARS = 4_000_000
const VALUE_MAX_CHARS = 100_000
const LEVELS_MAX = 50
const ATTRIBUTES_MAX = 100
const TERMS_MAX = 1000
const COMMENTS_AT_ONCE = 500
const COMMENTS_MAX_CHARS = 4_000_000
const TERM_MAX_CHARS = 1000
const AUTHOR_VALUES_MAX = 20
const CHUNK_CHARS = 60_000
const BEGINNING_BYTES = 1024
/** What programs write although XML forbids it; it stays text. */
const TOLERATED =
  /^(?:Invalid character entity|Invalid character in entity name|Non-whitespace before first tag|Text data outside of root node)/

/** @throws SourceProblem with the line of the first fault */
export async function readWordpress(
  tree: FileTree,
  path: string,
  signal: AbortSignal,
  events: WordpressEvents,
): Promise<void> {
  const stream = await tree.open(path)
  if (!stream) throw new SourceProblem(`There is no file ${path}.`)
  const reader = makeReader(path, events)
  let decoder: TextDecoder | undefined
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    decoder ??= decoderFor(chunk.subarray(0, BEGINNING_BYTES), path)
    const text = decoder.decode(chunk, { stream: true })
    for (let at = 0; at < text.length; at += CHUNK_CHARS)
      reader.write(text.slice(at, at + CHUNK_CHARS))
    events.onProgress(chunk.length)
  }
  reader.end()
}

/** A mark of the byte order wins over the declaration, which wins over UTF-8. */
function decoderFor(beginning: Buffer, path: string): TextDecoder {
  const [first = 0, second = 0] = beginning
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  if (first === 0x3c && second === 0) return new TextDecoder('utf-16le')
  if (first === 0 && second === 0x3c) return new TextDecoder('utf-16be')
  const declaration = beginning.toString('latin1')
  const name = /<\?xml[^>]{0,200}\bencoding=["']([\w.:-]{1,40})["']/.exec(declaration)?.[1]
  try {
    // A file that is not in UTF-16 cannot declare it.
    return new TextDecoder(name && !/^utf-?16/i.test(name) ? name : 'utf-8')
  } catch {
    throw new SourceProblem(`${path} is in an encoding that is not known: ${name}.`, 1)
  }
}

function makeReader(path: string, events: WordpressEvents) {
  const parser = sax.parser(true, { position: true })
  const names: string[] = []
  const problem = (words: string) => {
    const line = parser.line + 1
    return new SourceProblem(`Line ${line.toLocaleString('en')}: ${words}`, line)
  }
  const value = makeValue()
  const state = makeState(events)
  let attributes = 0
  parser.onattribute = () => {
    if (++attributes > ATTRIBUTES_MAX) throw problem('an element has too many attributes.')
  }
  parser.onopentag = (tag) => {
    attributes = 0
    names.push(tag.name)
    if (names.length > LEVELS_MAX) throw problem('the elements are nested too deeply.')
    value.begin(state.open(names, tag.attributes))
  }
  parser.ontext = value.add
  parser.oncdata = value.add
  parser.onclosetag = () => {
    const isTooLong = value.isTooLong()
    state.close(names, value.end(), isTooLong)
    names.pop()
  }
  parser.onerror = (error) => {
    const [words = ''] = error.message.split('\n')
    if (TOLERATED.test(words)) parser.error = null
    else if (/^(?:Unclosed root tag|Unexpected end)/.test(words))
      throw problem('the text ends in the middle.')
    else throw problem(`this is not XML (${words.toLowerCase()}).`)
  }
  return {
    write: (text: string) => void parser.write(text),
    end() {
      parser.close()
      if (!state.hasRoot()) throw new SourceProblem(`${path} is empty.`)
    },
  }
}

/** The text of the element that is open, as far as its value is needed. */
function makeValue() {
  let parts: string[] = []
  let chars = 0
  let maxChars = 0
  return {
    begin(max: number) {
      parts = []
      chars = 0
      maxChars = max
    },
    add(text: string) {
      chars += text.length
      if (chars <= maxChars) parts.push(text)
      else if (maxChars === VALUE_MAX_CHARS && chars - text.length < maxChars)
        parts.push(text.slice(0, maxChars - chars + text.length))
    },
    isTooLong: () => maxChars > 0 && chars > maxChars,
    end: () => parts.join(''),
  }
}

function makeState(events: WordpressEvents) {
  let item: WordpressItem | undefined
  let author: Map<string, string> | undefined
  let comment: Map<string, string> | undefined
  let commentChars = 0
  let metaKey = ''
  let term = { domain: '', nicename: '' }
  let isRss = false
  return {
    hasRoot: () => isRss,
    /** @returns how long the value of the element may be; 0 when it is not needed */
    open(names: readonly string[], attributes: Record<string, string>): number {
      const last = names.at(-1) ?? ''
      isRss ||= names[0] === 'rss'
      if (names.length === 3) {
        if (last === 'item') {
          item = { values: new Map(), meta: new Map(), terms: [], comments: [], isTooLong: false }
          return 0
        }
        if (last === 'wp:author') author = new Map()
        return SITE.has(last) ? VALUE_MAX_CHARS : 0
      }
      if (author) return author.size < AUTHOR_VALUES_MAX ? VALUE_MAX_CHARS : 0
      if (!item) return 0
      if (names.length === 4 && last === 'wp:comment') comment = new Map()
      if (names.length === 4 && last === 'category')
        term = {
          domain: (attributes.domain ?? '').slice(0, TERM_MAX_CHARS),
          nicename: (attributes.nicename ?? '').slice(0, TERM_MAX_CHARS),
        }
      if (comment && names.length > 4) return COMMENT.has(last) ? VALUE_MAX_CHARS : 0
      if (last === 'wp:meta_value') return META.has(metaKey) ? CONTENT_MAX_CHARS : 0
      if (last === 'content:encoded') return CONTENT_MAX_CHARS
      return names.length === 4 && !ITEM.has(last) ? 0 : VALUE_MAX_CHARS
    },
    close(names: readonly string[], value: string, isTooLong: boolean): void {
      const name = names.at(-1) ?? ''
      if (names.length === 3) {
        if (name === 'item' && item) events.onItem(item)
        else if (name === 'wp:author' && author) events.onAuthor(author)
        else if (SITE.has(name)) events.onSite(name, value)
        if (name === 'item') item = undefined
        if (name === 'wp:author') author = undefined
      } else if (author && author.size < AUTHOR_VALUES_MAX) author.set(name, value)
      else if (item && names.length === 4) closeInItem(item, name, value, isTooLong)
      else if (item && comment && names.length === 5 && names[3] === 'wp:comment') {
        if (!COMMENT.has(name)) return
        comment.set(name, value)
        commentChars += value.length
      } else if (name === 'wp:meta_key') metaKey = value.trim()
      else if (name === 'wp:meta_value' && META.has(metaKey)) item?.meta.set(metaKey, value)
    },
  }

  function closeInItem(open: WordpressItem, name: string, value: string, isTooLong: boolean): void {
    if (name === 'category') {
      const name = value.slice(0, TERM_MAX_CHARS).trim()
      if (open.terms.length < TERMS_MAX) open.terms.push({ ...term, name })
    } else if (name === 'wp:comment') {
      if (comment) open.comments.push(comment)
      comment = undefined
      if (open.comments.length >= COMMENTS_AT_ONCE || commentChars >= COMMENTS_MAX_CHARS) {
        events.onComments(open)
        open.comments = []
        commentChars = 0
      }
    } else if (ITEM.has(name)) {
      open.values.set(name, value)
      if (name === 'content:encoded') open.isTooLong = isTooLong
    }
  }
}
