// Preview of a post as its page will look: in a frame, in both themes, as wide as a page or a
// phone. In the frame no script runs and no link works.
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Api, useApi } from '../api/client.ts'
import { type DisplayedTheme, useDisplayedTheme } from '../editor/use-theme.ts'
import { featuredImageSources } from '../files/files-api.ts'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { callCollection } from '../posts/posts-api.ts'
import { IconButton } from '../ui/button.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { useModal } from '../ui/use-modal.ts'
import { useObjectUrl } from '../ui/use-object-url.ts'
import { EndMark } from './after-post.tsx'
import { PostArticle } from './post-article.tsx'

export type PreviewPost = {
  /** The post's id, for the colour of a drawn cover; may be empty. */
  slug: string
  title: string
  /** HTML, saved or not. */
  content: string
  /** A file that was not uploaded yet, the id of a stored file, or undefined. */
  cover: File | string | undefined
  userName: string
  userAvatar: string | undefined
  /** ISO 8601; undefined for a post that was never published. */
  publishedAt: string | undefined
}

type PostPreviewProps = {
  post: PreviewPost
  /** Shown next to the title; by default it says that the post is not published. */
  note?: string
  onClose: () => void
}

const WIDTHS = ['page', 'phone'] as const
const THEMES: readonly DisplayedTheme[] = ['dark', 'light']

/** The dialog is open as long as it is rendered. */
export function PostPreview({ post, note = texts.preview.note, onClose }: PostPreviewProps) {
  const dialog = useModal({ onClose })
  const [theme, setTheme] = useState<DisplayedTheme>(useDisplayedTheme())
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('page')
  return (
    <dialog className="preview" ref={dialog} aria-labelledby="preview-title" data-width={width}>
      <div className="row preview__bar">
        <h2 id="preview-title">{texts.preview.title}</h2>
        <p className="quiet wide-only">{note}</p>
        <div className="preview__choices">
          <Segmented
            isBare
            className="preview__themes"
            legend={texts.preview.theme}
            name="preview-theme"
            options={THEMES.map((value) => ({ value, name: texts.preview.themes[value] }))}
            selected={theme}
            onChoose={setTheme}
          />
          <Segmented
            isBare
            className="wide-only"
            legend={texts.preview.width}
            name="preview-width"
            options={WIDTHS.map((value) => ({ value, name: texts.preview.widths[value] }))}
            selected={width}
            onChoose={setWidth}
          />
          <IconButton label={texts.preview.close} onClick={onClose} Icon={X} />
        </div>
      </div>
      <div className="preview__stage">
        <PreviewFrame theme={theme} title={texts.preview.frame} onClose={onClose}>
          <PreviewedPost post={post} />
        </PreviewFrame>
      </div>
    </dialog>
  )
}

function PreviewedPost({ post }: { post: PreviewPost }) {
  const { slug, content, cover, userName, userAvatar } = post
  const api = useApi()
  const highlightedContent = useLoaded(content, () => highlight(api, content)).value ?? content
  const [openedAt] = useState(() => new Date().toISOString())
  const title = post.title.trim() || texts.preview.untitled
  const shown = {
    title,
    userName,
    highlightedContent,
    $createdAt: post.publishedAt ?? openedAt,
    ...(userAvatar ? { userAvatar } : {}),
  }
  return (
    <PostArticle
      post={shown}
      isPreview
      cover={<PreviewCover cover={cover} title={title} slug={slug} />}
    >
      <div className="post-end">
        <EndMark />
      </div>
    </PostArticle>
  )
}

function PreviewCover({ cover, title, slug }: Pick<PreviewPost, 'cover' | 'title' | 'slug'>) {
  const api = useApi()
  const file = cover instanceof File ? cover : undefined
  const chosen = useObjectUrl(file)
  if (file) return chosen ? <img src={chosen} alt="" /> : null
  const stored =
    typeof cover === 'string' && cover !== ''
      ? featuredImageSources(api, api.settings.contentBucketId, cover)
      : { image: undefined }
  return <FeaturedImage {...stored} title={title} slug={slug} isEager />
}

// A document inside this page, with the same style sheets but its own width and theme. No script
// runs in it; this page renders into it by a portal.

type PreviewFrameProps = {
  theme: DisplayedTheme
  title: string
  /** Called when Esc is pressed inside the frame. */
  onClose: () => void
  children: ReactNode
}

function PreviewFrame({ theme, title, onClose, children }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [source] = useState(() => emptyPage(theme))
  const [page, setPage] = useState<Document | undefined>()
  const handleKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape') onClose()
  })

  useEffect(() => {
    const handle = (event: KeyboardEvent) => handleKey(event)
    page?.addEventListener('keydown', handle)
    return () => page?.removeEventListener('keydown', handle)
  }, [page])
  useEffect(() => {
    if (page) page.documentElement.dataset.theme = theme
  }, [page, theme])

  function handleLoad() {
    const loaded = frame.current?.contentDocument ?? undefined
    // `optional` in the style sheets is meant for a first paint; here fonts may arrive later.
    loaded?.fonts.forEach((face) => {
      face.display = 'swap'
    })
    setPage(loaded)
  }
  const root = page?.getElementById('preview-root')
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin"
      srcDoc={source}
      onLoad={handleLoad}
    >
      {root && createPortal(children, root)}
    </iframe>
  )
}

/** An empty page with this page's style sheets, including inline ones of the development server. */
function emptyPage(theme: DisplayedTheme): string {
  const sheets = document.querySelectorAll('link[rel="stylesheet"], style[data-vite-dev-id]')
  const styles = Array.from(sheets, (sheet) =>
    sheet instanceof HTMLLinkElement ? linkTo(sheet.href) : sheet.outerHTML,
  )
  return `<!DOCTYPE html><html lang="${texts.language}" dir="${texts.direction}" data-theme="${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${texts.preview.frame}</title>${styles.join('')}</head><body class="preview-page"><main class="container" id="preview-root"></main></body></html>`
}

function linkTo(href: string): string {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  return link.outerHTML
}

/**
 * Lets the server highlight the code of an unsaved text, as it does when a post is saved. Returns
 * the text unchanged if that fails.
 */
async function highlight(api: Api, html: string): Promise<string> {
  const text = parse(html)
  const samples = samplesOf(text)
  if (samples.length === 0) return html
  // Only the samples are sent: the text around them may hold images that are not stored yet.
  const content = samples.map(({ outerHTML }) => outerHTML).join('')
  const result = await callCollection<{ content: string }>(api, 'post', '/highlight', { content })
  const highlighted = result.ok ? samplesOf(parse(result.value.content)) : []
  if (highlighted.length !== samples.length) return html
  for (const [index, sample] of samples.entries())
    sample.innerHTML = highlighted[index]?.innerHTML ?? ''
  return text.innerHTML
}

/** In a template nothing is loaded and nothing runs. */
function parse(html: string): HTMLTemplateElement {
  const template = document.createElement('template')
  template.innerHTML = html
  return template
}

function samplesOf({ content }: HTMLTemplateElement): Element[] {
  return Array.from(content.querySelectorAll('pre')).filter((pre) =>
    pre.matches('[class*="language-"], :has(> [class*="language-"])'),
  )
}
