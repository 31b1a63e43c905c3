// /edit-post/:slug/versions/:versionId: one version to read, as its page showed it.
import { useState } from 'react'
import { useParams } from 'react-router'
import type { PostVersionWithText } from '#contract/history.ts'
import { texts } from '../locales/texts.ts'
import { getVersion } from '../posts/history-api.ts'
import { directionOf } from '../posts/text-direction.ts'
import { PostBody } from '../reading/post-body.tsx'
import { Button } from '../ui/button.tsx'
import { BringBack } from './bring-back.tsx'
import { useOwn } from './use-own.ts'
import { kindText, versionsPath, versionTime } from './version-texts.ts'
import { VersionsFrame } from './versions-frame.tsx'

const { readingVersion, comparing, bringingBack } = texts

export function VersionPage() {
  const { slug = '', versionId = '' } = useParams()
  const { found, retry } = useOwn(`version ${slug} ${versionId}`, (api) =>
    getVersion(api, slug, versionId),
  )
  const time = found.state === 'there' ? versionTime(found.value) : ''
  return (
    <VersionsFrame
      title={time ? readingVersion.title(time) : texts.versionList.title}
      back={{ path: versionsPath(slug), label: comparing.back }}
      found={found}
      loading={readingVersion.loading}
      gone={readingVersion.gone}
      onRetry={retry}
    >
      {(version) => <Version slug={slug} version={version} />}
    </VersionsFrame>
  )
}

function Version({ slug, version }: { slug: string; version: PostVersionWithText }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <p className="lead-line">{readingVersion.lead}</p>
      <article className="version-text">
        <h2 dir="auto">{version.title}</h2>
        <PostBody
          html={version.content}
          language={undefined}
          direction={directionOf(version.title)}
        />
      </article>
      <div className="sticky-actions">
        <span>{comparing.side(texts.wordCount(version.words), kindText(version))}</span>
        <Button kind="primary" onClick={() => setAsking(true)}>
          {bringingBack.confirm}
        </Button>
      </div>
      {isAsking && <BringBack {...{ slug, version }} onCancel={() => setAsking(false)} />}
    </>
  )
}
