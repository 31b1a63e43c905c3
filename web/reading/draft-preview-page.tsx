// The page behind a preview link: a post that is not published, for somebody without an account.
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { useLoaderData, useParams } from 'react-router'
import type { PostPreviewDocument } from '#contract/preview-links.ts'
import { isolateBidi } from '#contract/visible-text.ts'
import { useApi } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { featuredImageSources } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { FeaturedImage } from '../posts/featured-image.tsx'
import { readPreview } from '../posts/preview-links-api.ts'
import { PageTitle } from '../ui/screens.tsx'
import { usePolling } from '../ui/use-polling.ts'
import { EndMark } from './after-post.tsx'
import './draft-preview-sheets.css'
import type { DraftPreviewData } from './draft-preview-loader.ts'
import { LiveStrip } from './live-post.tsx'
import { PostArticle } from './post-article.tsx'
import { NoPost } from './post-states.tsx'

/** How often the page looks for a newer state of the draft. */
const REFRESH_MS = 15_000
const ENDED = 404

export function DraftPreviewPage() {
  const { preview } = useLoaderData<DraftPreviewData>()
  const { secret = '' } = useParams()
  return preview ? <OpenPreview key={secret} secret={secret} opened={preview} /> : <EndedPreview />
}

type OpenPreviewProps = { secret: string; opened: PostPreviewDocument }

function OpenPreview({ secret, opened }: OpenPreviewProps) {
  const api = useApi()
  const [shown, setShown] = useState(opened)
  /** The newest state; null once the link has ended. */
  const [newest, setNewest] = useState<PostPreviewDocument | null>(opened)
  const [closed, setClosed] = useState('')
  usePolling(() => void refresh(), { isOn: newest !== null, everyMs: REFRESH_MS })

  async function refresh() {
    const result = await readPreview(api, secret, shown.$updatedAt)
    if (result.ok) setNewest(result.value)
    else if (result.failure.code === ENDED) setNewest(null)
  }
  if (newest === null) return <EndedPreview />
  const { title, ownImage: fileId, $id: slug } = shown
  const isUpdated = newest.$updatedAt > shown.$updatedAt && newest.$updatedAt !== closed
  const { shared, draft } = texts.draftPreview
  return (
    <>
      <PageTitle screen={isolateBidi(title)} />
      {isUpdated && (
        <LiveStrip
          notice="updated"
          text={texts.draftUpdated}
          isOwner={false}
          onShow={() => setShown(newest)}
          onClose={() => setClosed(newest.$updatedAt)}
        />
      )}
      <p className="draft-strip">
        <Eye className="icon" aria-hidden="true" />
        <span>{shared(shown.userName, <LocalDate time={shown.expire} />)}</span>
      </p>
      <PostArticle
        post={{ ...shown, $createdAt: shown.$updatedAt }}
        status={draft}
        cover={
          fileId && (
            <FeaturedImage
              {...featuredImageSources(api, api.settings.contentBucketId, fileId)}
              title={title}
              slug={slug}
              isEager
            />
          )
        }
      >
        <div className="post-end">
          <EndMark />
        </div>
      </PostArticle>
    </>
  )
}

function EndedPreview() {
  const { ended } = texts.draftPreview
  return <NoPost screen={ended.title} art="off" {...ended} />
}
