// The search page of an exported site: finds posts in the index that the export has written. The
// index is made of scripts, because pages that are opened from a disk cannot fetch other files.
import type { FoundPost, SiteIndex, WordUse } from '#contract/site-search.ts'

export type StaticSearchTexts = {
  language: string
  /** With `{n}` and `{q}` in place of the number and the query. */
  found: string
  foundOne: string
  none: string
  noneHint: string
  failed: string
  next: string
  previous: string
  pages: string
}

declare global {
  interface Window {
    /** Called by each script of the index. */
    searchPart?: (name: string, value: unknown) => void
  }
}

// The functions below run in the page. Each uses only its arguments and its own declarations,
// because it is sent as text.

/** Loads the files of the index. @param fileOf `wordsFileOf` of contract/site-search.ts */
export function openSiteIndex(fileOf: (word: string) => string) {
  const parts = new Map<string, (value: unknown) => void>()
  window.searchPart = (name, value) => parts.get(name)?.(value)

  /** @returns undefined when there is no such file */
  function load<Value>(name: string, src = `search/${name}.js`): Promise<Value | undefined> {
    return new Promise((resolve) => {
      parts.set(name, (value) => resolve(value as Value))
      const script = document.createElement('script')
      script.onerror = () => resolve(undefined)
      script.src = src
      document.head.append(script)
    })
  }

  /** The posts that have a word with this beginning, each with whether its title has one. */
  async function find(index: SiteIndex, word: string) {
    const uses = index.words ?? (await load<WordUse[]>(fileOf(word))) ?? []
    const found = new Map<number, boolean>()
    for (const [known, posts] of uses) {
      if (!known.startsWith(word)) continue
      if (!posts) return undefined
      for (const post of posts) {
        const number = Math.floor(post / 2)
        found.set(number, found.get(number) === true || post % 2 === 1)
      }
    }
    return found
  }

  /** The numbers of the posts with all words: first those with all of them in their titles. */
  async function findAll(index: SiteIndex, words: string[]): Promise<number[]> {
    const all = await Promise.all(words.map((word) => find(index, word)))
    const lists = all.filter((list) => list !== undefined)
    const [first, ...others] = lists
    const numbers = first ? [...first.keys()] : Array.from({ length: index.total }, (_, at) => at)
    const rank = (number: number) => (lists.every((list) => list.get(number)) ? 0 : 1)
    return numbers
      .filter((number) => others.every((list) => list.has(number)))
      .sort((a, b) => rank(a) - rank(b) || a - b)
  }

  async function readPosts(index: SiteIndex, numbers: number[]): Promise<FoundPost[]> {
    const files = new Map<number, FoundPost[]>()
    for (const number of numbers) {
      const file = Math.floor(number / index.postsPerFile)
      if (!index.posts && !files.has(file))
        files.set(file, (await load<FoundPost[]>(`posts-${file}`)) ?? [])
    }
    return numbers.flatMap((number) => {
      const file = files.get(Math.floor(number / index.postsPerFile))
      const post = index.posts?.[number] ?? file?.[number % index.postsPerFile]
      return post ? [post] : []
    })
  }

  return { load, findAll, readPosts }
}

/** Draws results as the search page of the blog does. */
export function makeSiteResults(texts: StaticSearchTexts) {
  function element(name: string, className: string, ...children: (Node | string)[]): HTMLElement {
    const made = document.createElement(name)
    made.className = className
    made.append(...children)
    return made
  }
  function link(href: string, className: string, text: string): HTMLAnchorElement {
    const made = document.createElement('a')
    made.className = className
    made.href = href
    made.textContent = text
    return made
  }

  const date = new Intl.DateTimeFormat(undefined, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  function row([path, title, author, createdAt, excerpt, picture]: FoundPost): HTMLElement {
    const heading = element('h2', '', link(path, '', title))
    heading.dir = 'auto'
    const snippet = element('p', 'found-list__snippet', excerpt)
    snippet.dir = 'auto'
    const time = element('time', '', date.format(new Date(createdAt)))
    const facts = element('p', 'quiet row found-list__facts', element('bdi', '', author), time)
    const item = element('li', '', element('div', 'found-list__text', heading, snippet, facts))
    if (picture) {
      const image = document.createElement('img')
      Object.assign(image, { src: picture, alt: '', width: 160, height: 90, loading: 'lazy' })
      item.append(element('div', 'thumbnail found-list__image', image))
    }
    return item
  }

  function pageLink(q: string, page: number, text: string): HTMLElement {
    const query = new URLSearchParams({ q, page: String(page) })
    return element('span', '', link(`?${query}`, 'btn btn--secondary', text))
  }
  function pageLinks(q: string, page: number, hasNext: boolean): HTMLElement {
    const nav = element(
      'nav',
      'row page-links',
      page > 1 ? pageLink(q, page - 1, texts.previous) : element('span', ''),
      hasNext ? pageLink(q, page + 1, texts.next) : element('span', ''),
    )
    nav.ariaLabel = texts.pages
    return nav
  }

  function sentence(text: string, q: string, total: number): HTMLElement {
    const number = total.toLocaleString(texts.language)
    const [before = '', after = ''] = text.replace('{n}', number).split('{q}')
    const line = element('p', 'quiet search-count', before, element('bdi', '', q), after)
    line.role = 'status'
    return line
  }

  return { element, row, pageLinks, sentence }
}

/** Shows the results of the query in the address. @param wordsOf `siteWords` */
export function searchStaticSite(
  wordsOf: (text: string) => string[],
  { load, findAll, readPosts }: ReturnType<typeof openSiteIndex>,
  { element, row, pageLinks, sentence }: ReturnType<typeof makeSiteResults>,
  texts: StaticSearchTexts,
): void {
  const PAGE_POSTS = 10
  async function show(q: string, page: number) {
    const form = document.querySelector('.search-form')
    const field = form?.querySelector('input')
    if (field) field.value = q
    const words = [...new Set(wordsOf(q))]
    if (words.length === 0) return
    document.querySelector('.search-start')?.remove()
    const index = await load<SiteIndex>('index', 'search-index.js')
    if (!index) return form?.after(element('p', 'quiet', texts.failed))
    const numbers = await findAll(index, words)
    const total = numbers.length
    if (total === 0)
      return form?.after(sentence(texts.none, q, 0), element('p', 'quiet', texts.noneHint))
    const posts = await readPosts(index, numbers.slice((page - 1) * PAGE_POSTS, page * PAGE_POSTS))
    form?.after(
      sentence(total === 1 ? texts.foundOne : texts.found, q, total),
      element('ul', 'found-list', ...posts.map(row)),
      ...(total > PAGE_POSTS ? [pageLinks(q, page, page * PAGE_POSTS < total)] : []),
    )
  }

  const query = new URLSearchParams(location.search)
  const page = Number(query.get('page'))
  void show(
    (query.get('q') ?? '').trim().slice(0, 200),
    Number.isInteger(page) && page > 0 ? page : 1,
  )
}
