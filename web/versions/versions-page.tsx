// /edit-post/:slug/versions: the saved versions of a post, newest first. The author can compare two
// of them, and read or restore older ones.
import { useState } from 'react'
import { useParams } from 'react-router'
import type { PostVersion, PostVersionList } from '#contract/versions.ts'
import { avatarIdOf } from '../accounts/avatar-url.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { getVersion, listVersions } from '../posts/history-api.ts'
import { versionsPath } from '../posts/post-paths.ts'
import { getPost } from '../posts/posts-api.ts'
import { PostPreview, type PreviewPost } from '../reading/post-preview.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { useToasts } from '../ui/toasts.tsx'
import {
  kindText,
  useOwnVersions,
  useRestoreDialog,
  VersionsFrame,
  versionTime,
} from './versions-frame.tsx'

const { versionList, readingVersion } = texts

export function VersionsPage() {
  const { slug = '' } = useParams()
  const { result, retry } = useOwnVersions(`versions ${slug}`, (api) => listVersions(api, slug))
  return (
    <VersionsFrame
      title={versionList.title}
      back={{ path: `/edit-post/${slug}`, label: versionList.back }}
      result={result}
      loading={versionList.loading}
      onRetry={retry}
    >
      {(list) => <VersionList key={slug} slug={slug} list={list} />}
    </VersionsFrame>
  )
}

function VersionList({ slug, list: { versions } }: { slug: string; list: PostVersionList }) {
  // The oldest choice first: a third choice replaces it.
  const [chosen, setChosen] = useState<string[]>([])
  const restore = useRestoreDialog(slug)
  const isOnlyVersion = versions.length < 2
  function handleChoose(id: string, isChosen: boolean) {
    const others = chosen.filter((other) => other !== id)
    setChosen(isChosen ? [...others, id].slice(-2) : others)
  }
  // In the order of the list: the newer one first.
  const [newer, older] = versions.filter(({ $id }) => chosen.includes($id))
  return (
    <>
      <p className="lead-line" dir="auto">
        {versionList.lead(versions[0]?.title ?? '')}
      </p>
      <ul className="box box-list lines versions">
        {versions.map((version, index) => (
          <Version
            key={version.$id}
            slug={slug}
            version={version}
            isOnlyVersion={isOnlyVersion}
            isCurrent={index === 0}
            isChosen={chosen.includes(version.$id)}
            onChoose={(isChosen) => handleChoose(version.$id, isChosen)}
            onRestore={() => restore.ask(version)}
          />
        ))}
      </ul>
      {isOnlyVersion ? (
        <p className="quiet">{versionList.onlyOne}</p>
      ) : (
        <div className="row float sticky-actions">
          <span role="status">{versionList.chosen(chosen.length)}</span>
          {newer && older && (
            <ButtonLink
              kind="primary"
              to={`${versionsPath(slug)}/compare?old=${older.$id}&new=${newer.$id}`}
            >
              {versionList.compareTwo}
            </ButtonLink>
          )}
        </div>
      )}
      {restore.dialog}
    </>
  )
}

type VersionProps = {
  slug: string
  version: PostVersion
  isCurrent: boolean
  isOnlyVersion: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onRestore: () => void
}

function Version({
  slug,
  version,
  isCurrent,
  isOnlyVersion,
  isChosen,
  onChoose,
  onRestore,
}: VersionProps) {
  const time = versionTime(version)
  return (
    <li>
      {isOnlyVersion ? (
        <span className="pick-box" />
      ) : (
        <label className="pick-box">
          <input
            className="check"
            type="checkbox"
            checked={isChosen}
            aria-label={versionList.compare(time)}
            onChange={({ target }) => onChoose(target.checked)}
          />
        </label>
      )}
      <div>
        <h2>{time}</h2>
        <p className="quiet row facts">
          {isCurrent && <span className="chip chip--on">{versionList.current}</span>}
          <span>{kindText(version)}</span>
          <span>{texts.wordCount(version.words)}</span>
          <span className="word-changes">
            <span className="word-changes__in">{versionList.added(version.wordsAdded)}</span>{' '}
            <span className="word-changes__out">{versionList.removed(version.wordsRemoved)}</span>
            <span className="visually-hidden">{versionList.words}</span>
          </span>
        </p>
      </div>
      <div className="row-actions">
        <ReadButton slug={slug} version={version} />
        {!isCurrent && (
          <Button kind="ghost" aria-label={versionList.restoreNamed(time)} onClick={onRestore}>
            {versionList.restore}
          </Button>
        )}
      </div>
    </li>
  )
}

// Shows one version of a post as its page would look.

type ReadButtonProps = { slug: string; version: PostVersion }

function ReadButton({ slug, version }: ReadButtonProps) {
  const api = useApi()
  const { userData, refresh } = useViewer()
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)
  const [shown, setShown] = useState<PreviewPost>()
  const time = versionTime(version)

  async function handlePress() {
    if (isBusy) return
    setBusy(true)
    // Title and text are those of the version; versions have no featured image.
    const [read, post] = await Promise.all([getVersion(api, slug, version.$id), getPost(api, slug)])
    setBusy(false)
    const failure = !read.ok ? read.failure : !post.ok ? post.failure : undefined
    if (failure?.code === 401) void refresh()
    if (failure) {
      const isGone = [400, 404].includes(failure.code)
      const text = readingVersion.failed(isGone ? readingVersion.gone : reasonText(failure))
      return toasts.show({ kind: 'error', text })
    }
    if (!read.ok || !post.ok) return
    const { title, content } = read.value
    const { ownImage: cover, $createdAt } = post.value
    const publishedAt = post.value.publishedAt ? $createdAt : undefined
    const { name: userName = '', prefs = {} } = userData ?? {}
    const author = { userName, userAvatar: avatarIdOf(prefs) }
    setShown({ slug, title, content, cover, publishedAt, ...author })
  }
  return (
    <>
      <Button
        kind="ghost"
        aria-haspopup="dialog"
        aria-label={versionList.readOf(time)}
        isBusy={isBusy}
        busyLabel={versionList.read}
        onClick={() => void handlePress()}
      >
        {versionList.read}
      </Button>
      {shown && (
        <PostPreview
          post={shown}
          note={readingVersion.note(time)}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}
