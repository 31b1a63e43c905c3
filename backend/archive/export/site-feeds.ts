// The feeds of an exported site. Ids stay those of the blog, so that a feed reader knows the posts;
// everything else leads to files of the site.
import render from 'dom-serializer'
import { Text } from 'domhandler'
import { DomUtils, parseDocument } from 'htmlparser2'
import { relativeAddress } from './site-names.ts'
import { all, localiseText, type SiteParts } from './site-page.ts'

/** The members of a JSON feed that are addresses. */
const ADDRESSES = new Set(['url', 'home_page_url', 'feed_url', 'image', 'icon', 'avatar'])

export async function localiseAtom(site: SiteParts, text: string, file: string): Promise<string> {
  const root = parseDocument(text, { xmlMode: true })
  for (const element of all(root, () => true)) {
    const { name, attribs } = element
    const content = DomUtils.textContent(element)
    if (name === 'link') {
      const href = await localAddress(site, attribs.href ?? '', file)
      if (href) attribs.href = href
      else DomUtils.removeElement(element)
    } else if (name === 'icon' || name === 'uri')
      element.children = [new Text((await localAddress(site, content, file)) ?? content)]
    else if (name === 'content')
      element.children = [new Text(await localiseText(site, content, file))]
  }
  return render(root, { xmlMode: true, encodeEntities: 'utf8' })
}

export async function localiseJsonFeed(site: SiteParts, text: string, file: string) {
  return JSON.stringify(await localiseValue(site, JSON.parse(text), file))
}

async function localiseValue(site: SiteParts, value: unknown, file: string): Promise<unknown> {
  if (Array.isArray(value))
    return await Promise.all(value.map((item) => localiseValue(site, item, file)))
  if (typeof value !== 'object' || value === null) return value
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    if (name === 'content_html') members.push([name, await localiseText(site, member, file)])
    else if (ADDRESSES.has(name) && typeof member === 'string')
      members.push([name, await localAddress(site, member, file)])
    else members.push([name, await localiseValue(site, member, file)])
  }
  return Object.fromEntries(members)
}

/** @returns undefined when the site does not have it */
async function localAddress(site: SiteParts, address: string, file: string) {
  const { publicUrl, links, files } = site
  if (!address.startsWith(`${publicUrl}/`)) return address
  const { pathname, search } = new URL(address)
  const target = /^\/v1\//.test(pathname)
    ? await files.picture(pathname + search)
    : /\.png$/.test(pathname)
      ? await files.asset(pathname)
      : await links.findFile(pathname, search)
  return target ? relativeAddress(file, target) : undefined
}
