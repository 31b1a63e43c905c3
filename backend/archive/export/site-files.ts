// Writes the files of an exported site: pages, and the style sheets, fonts and pictures that they
// show. Pictures are named by their checksums.
import { hash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { GuestPages } from './export-options.ts'
import type { SiteWork } from './site-work-store.ts'

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
}
// Bounded: the style sheets are ours.
const CSS_ADDRESS = /url\((["']?)(\/[^"')?#]+)[^"')]*\1\)/g

export type SiteFiles = ReturnType<typeof makeSiteFiles>

export function makeSiteFiles(
  { folder, workFolder }: { folder: string; workFolder: string },
  { fetchPage }: Pick<GuestPages, 'fetchPage'>,
  work: SiteWork,
) {
  let writes = 0
  const madeFolders = new Set<string>()
  /** Style sheets, fonts and icons, by their paths in the blog: a few for the whole site. */
  const assets = new Map<string, Promise<string | undefined>>()

  async function write(file: string, content: string | Buffer): Promise<void> {
    const path = join(folder, file)
    if (!madeFolders.has(dirname(path))) {
      await mkdir(dirname(path), { recursive: true })
      madeFolders.add(dirname(path))
    }
    // Beside the site, where a kill leaves nothing behind.
    const partial = join(workFolder, `${++writes}.part`)
    await writeFile(partial, content)
    await rename(partial, path)
  }

  async function copyAsset(path: string): Promise<string | undefined> {
    const { status, type, body } = await fetchPage(path)
    if (status !== 200) return undefined
    const file = path.slice(1)
    await write(file, type === 'text/css' ? await copySheet(file, body.toString()) : body)
    return file
  }

  async function copySheet(file: string, text: string): Promise<string> {
    const paths = [...text.matchAll(CSS_ADDRESS)].map(([, , path = '']) => path)
    for (const path of paths) await asset(path)
    // A page of a site has no script that shows a font that comes late.
    const swapping = text.replaceAll('font-display:optional', 'font-display:swap')
    return swapping.replace(CSS_ADDRESS, (_all, _quote, path: string) => {
      const relative = posix.relative(posix.dirname(`/${file}`), path)
      return `url(${relative})`
    })
  }

  /** @param path of a style sheet, a font or an icon of the blog @returns undefined for none */
  function asset(path: string): Promise<string | undefined> {
    const copied = assets.get(path) ?? copyAsset(path)
    assets.set(path, copied)
    return copied
  }

  return {
    write,
    asset,
    /** @param address of a picture, a video … of the blog @returns empty when it is missing */
    async picture(address: string): Promise<string> {
      const known = work.findPicture(address)
      if (known !== undefined) return known
      const { status, type, body } = await fetchPage(address)
      let file = ''
      if (status === 200) {
        file = `files/${hash('sha256', body).slice(0, 32)}.${EXTENSIONS[type] ?? 'bin'}`
        await write(file, body)
      }
      work.addPicture(address, file)
      return file
    },
  }
}
