// What the posts of a WordPress export name by a number or a word: people, pictures, reusable
// blocks. It may be larger than memory.
import { lineOfHtml } from './convert-html.ts'
import type { DiskMap } from './disk-map.ts'
import type { ImportSink, ReadOptions, SourcePerson, SourcePicture } from './source.ts'
import { lineAt, pathOf } from './source-values.ts'
import type { WordpressEvents } from './wordpress-items.ts'

/** What is certainly no picture; addresses without an ending may be one. */
const OTHER_FILE = /\.(?!jpe?g$|png$|gif$|webp$|avif$|bmp$|svg$|tiff?$|heic$)[a-z0-9]{2,5}$/i
const NUMBER_DIGITS = 9

/** What the first reading finds. */
export type Library = {
  url: string
  /** The keys of people, by these and by what they are called in addresses. */
  people: Map<string, string>
  /** By their number, and by that of their post and their place, such as `12/000000001`. */
  pictures: DiskMap<SourcePicture>
  blocks: DiskMap<string>
}

/** The first reading. */
export function readLibrary(
  library: Library,
  sink: ImportSink,
  { oldAddress }: ReadOptions,
): WordpressEvents {
  const site = { program: 'WordPress', name: '', description: '', url: oldAddress }
  let isAnnounced = false
  return {
    onSite(name, value) {
      if (name === 'title') site.name ||= lineOfHtml(value)
      else if (name === 'description') site.description ||= lineOfHtml(value)
      else if (name === 'generator') {
        const version = /[?&]v=([\d.]{1,12})/.exec(value)?.[1]
        if (version) site.program = `WordPress ${version}`
      } else if ((name === 'link' || name === 'wp:base_blog_url') && oldAddress === '') {
        const url = lineOfHtml(value)
        if (/^https?:/.test(url) && (name !== 'link' || site.url === '')) site.url = url
      }
    },
    onAuthor(values) {
      const key = lineAt(values, 'wp:author_login')
      const name = lineAt(values, 'wp:author_display_name') || key
      const email = lineAt(values, 'wp:author_email')
      if (key !== '') addPerson(library, sink, { key, name, email })
    },
    onItem({ values }) {
      if (!isAnnounced) {
        sink.site(site)
        library.url = site.url
      }
      isAnnounced = true
      const id = lineAt(values, 'wp:post_id')
      const type = lineAt(values, 'wp:post_type')
      if (type === 'wp_block') library.blocks.add(id, values['content:encoded'] ?? '')
      if (type !== 'attachment') return
      const url = lineAt(values, 'wp:attachment_url', 'link')
      const path = pathOf(url, library.url)
      if (path === '' || OTHER_FILE.test(path))
        return void sink.leaveOut({ what: 'file', name: path || id, reason: 'unsupported' })
      const picture = {
        url,
        alt: lineAt(values, '_wp_attachment_image_alt'),
        caption: lineOfHtml(values['excerpt:encoded'] ?? ''),
      }
      sink.picture(picture)
      const { pictures } = library
      const place = String(pictures.size).padStart(NUMBER_DIGITS, '0')
      pictures.add(id, picture)
      pictures.add(`${lineAt(values, 'wp:post_parent')}/${place}`, picture)
    },
  }
}

export function addPerson({ people }: Library, sink: ImportSink, person: SourcePerson): string {
  const { key, name } = person
  people.set(key, key)
  for (const word of [toNicename(key), toNicename(name)])
    if (!people.has(word)) people.set(word, key)
  sink.person(person)
  return key
}

/** As WordPress makes the word for an author's address. */
export function toNicename(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
