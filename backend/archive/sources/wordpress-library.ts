// What the posts of a WordPress export name by a number or a word: people, pictures, reusable
// blocks. It may be larger than memory.
import type { DiskMap } from './disk-map.ts'
import type { ImportSink, ReadOptions } from './source.ts'
import { lineOf, lineOfHtml, pathOf } from './source-values.ts'
import type { WordpressItem } from './wordpress-items.ts'

/** What is certainly no picture; addresses without an ending may be one. */
const OTHER_FILE = /\.(?!jpe?g$|png$|gif$|webp$|avif$|bmp$|svg$|tiff?$|heic$)[a-z0-9]{2,5}$/i
export const NO_PARENT = '0'
export const GALLERY_MAX = 500

export type Picture = { url: string; alt: string; caption: string }
/** What the first reading finds. */
export type Library = {
  url: string
  persons: Map<string, string>
  nicenames: Map<string, string>
  pictures: DiskMap<Picture>
  /** How many pictures a post has; their numbers are in `ownPictures`. */
  counts: Map<string, number>
  ownPictures: DiskMap<string>
  blocks: DiskMap<string>
}

/** The first reading. */
export function readLibrary(library: Library, sink: ImportSink, { oldAddress }: ReadOptions) {
  const site = { program: 'WordPress', name: '', description: '', url: oldAddress }
  let isAnnounced = false
  const announce = () => {
    if (isAnnounced) return
    isAnnounced = true
    library.url = site.url
    sink.site(site)
  }
  return {
    onSite(name: string, value: string) {
      const text = lineOfHtml(value)
      if (name === 'title') site.name ||= text
      else if (name === 'description') site.description ||= text
      else if (name === 'generator') {
        const version = /[?&]v=([\d.]{1,12})/.exec(value)?.[1]
        if (version) site.program = `WordPress ${version}`
      } else if (/^https?:/.test(text) && oldAddress === '')
        site.url = name === 'link' && site.url !== '' ? site.url : text
    },
    onAuthor(values: Map<string, string>) {
      const login = lineOf(values.get('wp:author_login'))
      if (login === '' || library.persons.has(login)) return
      const name = lineOf(values.get('wp:author_display_name')) || login
      addPerson(library, sink, { key: login, name, email: lineOf(values.get('wp:author_email')) })
    },
    onItem({ values, meta }: WordpressItem) {
      announce()
      const id = lineOf(values.get('wp:post_id'))
      const type = lineOf(values.get('wp:post_type'))
      if (type === 'wp_block') library.blocks.add(id, values.get('content:encoded') ?? '')
      if (type !== 'attachment') return
      const url = lineOf(values.get('wp:attachment_url')) || lineOf(values.get('link'))
      const path = pathOf(url, library.url)
      if (path === '' || OTHER_FILE.test(path)) {
        sink.leaveOut({
          what: 'file',
          name: path || id,
          reason: 'unsupported',
          post: '',
          detail: '',
        })
        return
      }
      const picture = {
        url,
        alt: lineOf(meta.get('_wp_attachment_image_alt')),
        caption: lineOfHtml(values.get('excerpt:encoded') ?? ''),
      }
      sink.picture(picture)
      library.pictures.add(id, picture)
      const parent = lineOf(values.get('wp:post_parent'))
      if (parent === '' || parent === NO_PARENT) return
      const count = library.counts.get(parent) ?? 0
      if (count < GALLERY_MAX) library.ownPictures.add(`${parent}/${count}`, id)
      library.counts.set(parent, Math.min(count + 1, GALLERY_MAX))
    },
  }
}

export function addPerson(
  { persons, nicenames }: Library,
  sink: ImportSink,
  person: { key: string; name: string; email: string },
): string {
  persons.set(person.key, person.name)
  for (const name of [person.key, person.name])
    if (!nicenames.has(toNicename(name))) nicenames.set(toNicename(name), person.key)
  sink.person(person)
  return person.key
}

/** As WordPress makes the word for an author's address. */
export function toNicename(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
