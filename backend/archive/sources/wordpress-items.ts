// Reads a WXR file as a stream (sax): a file of gigabytes takes no more memory than its longest
// post. No entity is taken from the file, and nothing is loaded.
import sax from 'sax'
import { findUtf16, openFile } from './file-tree.ts'
import { type FileTree, SourceProblem } from './source.ts'

/** The text of elements by their name, such as `wp:post_id`. */
export type Row = Record<string, string>

export type WordpressItem = {
  /** With the values of {@link META}. */
  values: Row
  terms: { domain: string; nicename: string; name: string }[]
  comments: Row[]
  /** Whether the text is too long to be a post. */
  isTooLong: boolean
}

export type WordpressEvents = {
  /** Elements of the channel itself, such as `title`. */
  onSite?(name: string, value: string): void
  onAuthor?(values: Row): void
  onItem(item: WordpressItem): void
  /** Comments of an item that has very many, before the item. */
  onComments?(item: WordpressItem): void
}

const ITEM = new Set(
  [
    'title link pubDate dc:creator guid content:encoded excerpt:encoded wp:attachment_url',
    'wp:post_id wp:post_date wp:post_date_gmt wp:post_modified wp:post_modified_gmt wp:post_name',
    'wp:comment_status wp:status wp:post_parent wp:post_type wp:post_password category',
  ].flatMap((names) => names.split(' ')),
)
/** Of an author and of a comment. */
const GROUP = new Set(
  [
    'wp:author_login wp:author_email wp:author_display_name',
    'wp:comment_id wp:comment_author wp:comment_author_email wp:comment_date wp:comment_date_gmt',
    'wp:comment_content wp:comment_approved wp:comment_type wp:comment_parent',
  ].flatMap((names) => names.split(' ')),
)
const META = new Set(
  [
    '_thumbnail_id _wp_attachment_image_alt _wp_old_slug footnotes blogger_permalink',
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
const TERM_MAX_CHARS = 1000
const COMMENTS_AT_ONCE = 500
const COMMENTS_MAX_CHARS = 4_000_000
const CHUNK_CHARS = 60_000
const BEGINNING_BYTES = 1024
/** The bytes of its mark of the byte order. */
const UTF8_MARK = '\xef\xbb\xbf'
/** What programs write although XML forbids it; it stays text. */
const TOLERATED =
  /^(?:Invalid character entity|Invalid character in entity name|Non-whitespace before first tag|Text data outside of root node)/

/** @throws SourceProblem with the line of the first fault */
export async function readWordpress(
  tree: FileTree,
  path: string,
  events: WordpressEvents,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const parser = makeParser(path, events)
  let decoder: TextDecoder | undefined
  for await (const chunk of await openFile(tree, path)) {
    decoder ??= decoderFor(chunk.subarray(0, BEGINNING_BYTES), path)
    const text = decoder.decode(chunk, { stream: true })
    for (let at = 0; at < text.length; at += CHUNK_CHARS)
      parser.write(text.slice(at, at + CHUNK_CHARS))
    onProgress(chunk.length)
  }
  parser.close()
}

/** A mark of the byte order wins over the declaration, which wins over UTF-8. */
function decoderFor(beginning: Buffer, path: string): TextDecoder {
  const declaration = beginning.toString('latin1')
  const name = /<\?xml[^>]{0,200}\bencoding=["']([\w.:-]{1,40})["']/.exec(declaration)?.[1]
  // A file that is not in UTF-16 cannot declare it.
  const isMarked = declaration.startsWith(UTF8_MARK)
  const declared = name && !isMarked && !/^utf-?16/i.test(name) ? name : 'utf-8'
  try {
    return new TextDecoder(findUtf16(beginning) ?? declared)
  } catch {
    throw new SourceProblem(`${path} is in an encoding that is not known: ${name}.`, 1)
  }
}

function makeParser(path: string, events: WordpressEvents) {
  const parser = sax.parser(true, { position: true })
  const problem = (words: string) => {
    const line = parser.line + 1
    return new SourceProblem(`${path}: Line ${line.toLocaleString('en')}: ${words}`, line)
  }
  const reader = makeReader(events)
  let level = 0
  let attributes = 0
  parser.onattribute = () => {
    if (++attributes > ATTRIBUTES_MAX) throw problem('an element has too many attributes.')
  }
  parser.onopentag = (tag) => {
    attributes = 0
    if (++level > LEVELS_MAX) throw problem('the elements are nested too deeply.')
    reader.open(tag.name, level, tag.attributes)
  }
  parser.ontext = reader.add
  parser.oncdata = reader.add
  parser.onclosetag = (name) => reader.close(name, level--)
  parser.onerror = (error) => {
    const [words = ''] = error.message.split('\n')
    if (TOLERATED.test(words)) parser.error = null
    else if (/^(?:Unclosed root tag|Unexpected end)/.test(words))
      throw problem('the text ends in the middle.')
    else throw problem(`this is not XML (${words.toLowerCase()}).`)
  }
  return parser
}

/** Items are at level 3, below `rss` and `channel`. */
function makeReader(events: WordpressEvents) {
  let value = ''
  let maxChars = 0
  let isTooLong = false
  let item: WordpressItem | undefined
  /** The author or comment that is open. */
  let group: Row | undefined
  let commentChars = 0
  let metaKey = ''
  let term = { domain: '', nicename: '' }
  return {
    open(name: string, level: number, attributes: Record<string, string>): void {
      value = ''
      isTooLong = false
      maxChars = /^(?:content:encoded|wp:meta_value)$/.test(name)
        ? CONTENT_MAX_CHARS
        : VALUE_MAX_CHARS
      if (level === 3 && name === 'item')
        item = { values: {}, terms: [], comments: [], isTooLong: false }
      else if (isGroup(name, level)) group = {}
      else if (level === 4 && name === 'category')
        term = {
          domain: (attributes.domain ?? '').slice(0, TERM_MAX_CHARS),
          nicename: (attributes.nicename ?? '').slice(0, TERM_MAX_CHARS),
        }
    },
    add(text: string): void {
      const free = maxChars - value.length
      if (text.length > free) isTooLong = true
      value += text.slice(0, free)
    },
    close(name: string, level: number): void {
      if (group && !isGroup(name, level)) {
        if (!GROUP.has(name)) return
        group[name] = value
        commentChars += value.length
      } else if (level === 3) {
        if (item) events.onItem(item)
        else if (group) events.onAuthor?.(group)
        else events.onSite?.(name, value)
        item = undefined
        group = undefined
      } else if (item) closeInItem(item, name, level)
    },
  }

  function closeInItem(open: WordpressItem, name: string, level: number): void {
    if (name === 'wp:meta_key') metaKey = value.trim()
    else if (name === 'wp:meta_value' && META.has(metaKey)) {
      // A post may have several old addresses.
      const before = metaKey === '_wp_old_slug' && open.values[metaKey]
      if (!before || before.length < VALUE_MAX_CHARS)
        open.values[metaKey] = before ? `${before}\n${value}` : value
    } else if (level !== 4) return
    else if (name === 'category') {
      if (open.terms.length < TERMS_MAX)
        open.terms.push({ ...term, name: value.slice(0, TERM_MAX_CHARS).trim() })
    } else if (group) {
      open.comments.push(group)
      group = undefined
      if (open.comments.length < COMMENTS_AT_ONCE && commentChars < COMMENTS_MAX_CHARS) return
      events.onComments?.(open)
      open.comments = []
      commentChars = 0
    } else if (ITEM.has(name)) {
      open.values[name] = value
      if (name === 'content:encoded') open.isTooLong = isTooLong
    }
  }
}

function isGroup(name: string, level: number): boolean {
  return (level === 3 && name === 'wp:author') || (level === 4 && name === 'wp:comment')
}
