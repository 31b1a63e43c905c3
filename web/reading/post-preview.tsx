// A text as its page will look, before it is published: the post alone in a frame, in both themes,
// as wide as a page or a phone. Nothing in the frame runs or leads anywhere.

import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useApi } from '../api/api-context.tsx'
import { type ShownTheme, useShownTheme } from '../editor/use-shown-theme.ts'
import { texts } from '../locales/texts.ts'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { useModal } from '../ui/use-modal.ts'
import { useObjectUrl } from '../ui/use-object-url.ts'
import { EndMark } from './after-post.tsx'
import { featuredImageSources } from './featured-image-sizes.ts'
import { PostArticle } from './post-article.tsx'
import { PreviewFrame } from './preview-frame.tsx'
import { useHighlighted } from './use-highlighted.ts'

export type PreviewPost = {
  /** Of the post, for the colour of a drawn cover; may be empty. */
  slug: string
  title: string
  /** HTML, saved or not. */
  content: string
  /** A file that was not sent yet, the id of a stored one, or nothing. */
  cover: File | string | undefined
  userName: string
  userAvatar: string | undefined
  /** ISO 8601; undefined for a post that is new. */
  createdAt: string | undefined
}

type PostPreviewProps = {
  post: PreviewPost
  /** What stands beside the title, where the words for an unpublished text are not right. */
  note?: string
  onClose: () => void
}

const WIDTHS = ['page', 'phone'] as const
const THEMES: readonly ShownTheme[] = ['dark', 'light']

/** Open for as long as it is rendered. */
export function PostPreview({ post, note = texts.preview.note, onClose }: PostPreviewProps) {
  const dialog = useModal()
  const [theme, setTheme] = useState<ShownTheme>(useShownTheme())
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('page')
  return (
    <dialog
      className="preview"
      ref={dialog}
      aria-labelledby="preview-title"
      data-width={width}
      onClose={onClose}
    >
      <div className="preview__bar">
        <h2 id="preview-title">{texts.preview.title}</h2>
        <p className="wide-only">{note}</p>
        <div className="preview__choices">
          <Choice
            className="preview__themes"
            label={texts.preview.theme}
            name="preview-theme"
            values={THEMES}
            chosen={theme}
            onChoose={setTheme}
          >
            {(one) => texts.preview.themes[one]}
          </Choice>
          <Choice
            className="wide-only"
            label={texts.preview.width}
            name="preview-width"
            values={WIDTHS}
            chosen={width}
            onChoose={setWidth}
          >
            {(one) => texts.preview.widths[one]}
          </Choice>
          <button
            className="btn btn--ghost btn--icon"
            type="button"
            aria-label={texts.preview.close}
            onClick={onClose}
          >
            <X className="icon" aria-hidden="true" />
          </button>
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

type ChoiceProps<Value extends string> = {
  className: string
  label: string
  name: string
  values: readonly Value[]
  chosen: Value
  onChoose: (value: Value) => void
  children: (value: Value) => ReactNode
}

function Choice<Value extends string>({
  className,
  label,
  name,
  values,
  chosen,
  onChoose,
  children,
}: ChoiceProps<Value>) {
  return (
    <fieldset className={`segmented ${className}`}>
      <legend className="visually-hidden">{label}</legend>
      {values.map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {children(value)}
        </label>
      ))}
    </fieldset>
  )
}

function PreviewedPost({ post }: { post: PreviewPost }) {
  const { slug, content, cover, userName, userAvatar } = post
  const highlightedContent = useHighlighted(content)
  const [openedAt] = useState(() => new Date().toISOString())
  const title = post.title.trim() || texts.preview.untitled
  const shown = {
    title,
    userName,
    highlightedContent,
    $createdAt: post.createdAt ?? openedAt,
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
