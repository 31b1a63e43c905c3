// Where the addresses of a Markdown file lead: to files of the export, found from its folder, from
// the root of the site, or by name.
import { dirname, join } from 'node:path/posix'
import { normaliseUnicode } from '#contract/plain-text.ts'
import type { DiskMap } from './disk-map.ts'
import { decodeAddress } from './source-values.ts'

export type MarkdownLinks = ReturnType<typeof makeMarkdownLinks>

/** Folders whose files are at the root of the site. */
const ROOTS = ['', 'static/', 'public/', 'assets/', 'source/', 'src/', 'content/', 'src/static/']
const PATH_MAX_CHARS = 2000
/** Of Pelican, Zola and Astro: the address is a path of a file. */
const SIGN = /^(?:(?:\{|%7B)\w+(?:\}|%7D)|\|\w+\||[@~](?=\/))/i

/** @param files by their path, and paths by lower-case name, with and without its ending */
export function makeMarkdownLinks(
  path: string,
  { paths, names }: { paths: DiskMap<unknown>; names: DiskMap<string> },
) {
  const folder = dirname(path)
  const root = rootOf(path)
  const findPath = (address: string, isPicture: boolean): string | undefined => {
    const isFromRoot = address.startsWith('/')
    const starts = isFromRoot
      ? ROOTS.map((start) => root + start)
      : // Hexo and Notion have the files of a post in a folder that is named like it.
        [folder, path.replace(/\.\w+$/, ''), root]
    const ends = isPicture ? [''] : ['', '.md', '.markdown', '/index.md', '/_index.md']
    for (const start of starts)
      for (const end of ends) {
        const wanted = join(start || '.', `${address.replace(/^\/+/, '')}${end}`)
        if (!wanted.startsWith('..') && paths.get(wanted) !== undefined) return wanted
      }
    return undefined
  }
  return {
    resolve(written: string, isPicture: boolean): string {
      const address = written.replace(SIGN, '')
      if (/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(address)) return address
      const [plain = '', ...rest] = address.split(/(?=[?#])/)
      const found = plain === '' ? undefined : findPath(decode(plain), isPicture)
      if (found === undefined) return address
      return `tree:${found}${isPicture ? '' : rest.join('')}`
    },
    /** A note by its name or path, a picture, or a post by the name of its file. */
    find(name: string): string | undefined {
      if (name === '') return undefined
      const found =
        findPath(name, false) ??
        names.get(name.toLowerCase()) ??
        names.get(name.toLowerCase().split('/').at(-1) ?? '')
      return found === undefined ? undefined : `tree:${found}`
    },
  }
}

/** The folder of the site: an export in a zip has one more folder around it. */
function rootOf(path: string): string {
  const [before = ''] =
    /^(?:.*?\/)??(?=(?:content|_posts|_drafts|src|posts|blog)\/)/.exec(path) ?? []
  return before
}

function decode(address: string): string {
  return normaliseUnicode(decodeAddress(address.slice(0, PATH_MAX_CHARS)))
}
