// What an author's page puts into the document's head.
import type { Author } from '#contract/authors.ts'
import { useApi } from '../api/api-context.tsx'
import { previewAddress } from '../files/files-api.ts'
import { texts } from '../locales/texts.ts'
import { FeedAlternates } from '../posts/feed-alternates.tsx'
import { PublicHead } from '../posts/public-head.tsx'
import { addressOf, StructuredData } from '../posts/structured-data.tsx'
import { authorPath } from '../posts/use-author-path.ts'
import { pagePath } from './page-links.tsx'

const FACE_PIXELS = 512

type AuthorHeadProps = { author: Author; after: string | undefined }

export function AuthorHead({ author, after }: AuthorHeadProps) {
  const api = useApi()
  const { siteName } = api.settings
  const { $id, $createdAt, name, about, avatar, posts } = author
  const path = authorPath($id)
  const url = addressOf(api, path)
  const size = { width: FACE_PIXELS, height: FACE_PIXELS }
  const face = { fileId: avatar, ...size }
  const image = avatar ? { image: previewAddress(api, api.settings.avatarBucketId, face).href } : {}
  return (
    <>
      <PublicHead
        screen={name}
        description={about || texts.author.posts(name)}
        path={pagePath(path, after)}
        isIndexed={after === undefined && posts > 0}
      />
      <FeedAlternates of={path} title={`${name} · ${siteName}`} />
      {after === undefined && (
        <StructuredData
          value={{
            '@type': 'ProfilePage',
            dateCreated: $createdAt,
            url,
            mainEntity: {
              '@type': 'Person',
              '@id': url,
              name,
              identifier: $id,
              url,
              ...(about ? { description: about } : {}),
              ...image,
              agentInteractionStatistic: {
                '@type': 'InteractionCounter',
                interactionType: { '@type': 'WriteAction' },
                userInteractionCount: posts,
              },
            },
          }}
        />
      )}
    </>
  )
}
