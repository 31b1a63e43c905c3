// HTML pages that contain plain API responses for a post or a list, for tests of when the server
// renders a page again.
import type { Pages } from '#backend/pages/context.ts'
import { VIEWER_SLOT } from '#contract/pages.ts'

const FIELDS = ['$id', 'title', 'like', 'userName', 'userAvatar', 'ownImage', 'tags']

/** `rendered` collects the path of each rendered page; `meanwhile` can delay each rendering. */
export function makePlainPages() {
  const rendered: string[] = []
  const held: { meanwhile: () => Promise<unknown> } = { meanwhile: async () => {} }
  const pages: Pages = {
    headScript: 'document.title',
    textsVersion: undefined,
    words: { language: 'en', direction: 'ltr', addPost: '', postLine: () => '' },
    describeBody: () => ({ minutes: 1 }),
    assetsFor: () => ({ entry: '', css: [], preload: [], fonts: [] }),
    addFiles: async () => {},
    async render({ request, settings }) {
      const { pathname, origin } = new URL(request.url)
      rendered.push(pathname)
      const documents = `/v1/databases/${settings.databaseId}/collections/${settings.collectionId}/documents`
      const ask = async (path: string) => {
        const answer = await globalThis.__dispatch?.(origin + documents + path, {
          headers: { 'x-appwrite-project': settings.projectId },
        })
        return { status: answer?.status ?? 500, text: (await answer?.text()) ?? '' }
      }
      const id = /^\/post\/([^/]+)/.exec(pathname)?.[1]
      const answers = id
        ? [await ask(`/${id}?${selected()}`), await ask(`/${id}/around`)]
        : [await ask(`?${selected()}`)]
      await held.meanwhile()
      const status = answers[0]?.status ?? 500
      const { setup } = settings
      const texts = [
        ...answers.map(({ text }) => text),
        ...(setup ? [JSON.stringify({ setup })] : []),
      ]
      const body = VIEWER_SLOT + texts.join('\n')
      return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
    },
  }
  return { pages, rendered, held }
}

function selected(): string {
  const query = JSON.stringify({ method: 'select', values: FIELDS })
  return `queries[0]=${encodeURIComponent(query)}`
}
