// The frame of the version screens: the link back, the title, and the loading and failure states.
import { isolateBidi } from '#contract/visible-text.ts'
import './versions-sheets.css'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { PostVersion } from '#contract/versions.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Api, type Result, useApi } from '../api/client.ts'
import { useInitialData } from '../api/initial-data.ts'
import { clockText, dayTimeText } from '../dates/dates.tsx'
import { refreshInFeed } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { restoreVersion } from '../posts/history-api.ts'
import { ForeignPost, PostNotFound, useOwnerData } from '../reading/post-states.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { LoadingText, MessageScreen, PageTitle } from '../ui/screens.tsx'
import { useToasts } from '../ui/toasts.tsx'

type VersionsFrameProps<Value> = {
  title: string
  back: { path: string; label: string }
  /** Undefined while it is loading. */
  result: Result<Value> | undefined
  loading: string
  /** The text for a 404. Without it, the screen for a missing post is shown instead. */
  gone?: string
  onRetry: () => void
  children: (value: Value) => ReactNode
}

export function VersionsFrame<Value>({
  title,
  back,
  result,
  loading,
  gone,
  onRetry,
  children,
}: VersionsFrameProps<Value>) {
  const failure = result?.ok === false ? result.failure : undefined
  const isMissing = failure !== undefined && [400, 404].includes(failure.code)
  if (isMissing && !gone) return <PostNotFound />
  if (failure?.code === 403) return <ForeignPost />
  return (
    <div className="narrow-page">
      <PageTitle screen={isolateBidi(title)} />
      <ButtonLink kind="ghost" className="narrow-page__back" to={back.path}>
        <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
        {back.label}
      </ButtonLink>
      <h1>{title}</h1>
      {!result && <LoadingText>{loading}</LoadingText>}
      {failure && (
        <MessageScreen
          art="off"
          title={texts.failures.titleAgain}
          titleLevel={2}
          hasSmallTitle
          isAlert
          actions={
            !isMissing && (
              <Button kind="primary" onClick={onRetry}>
                {texts.actions.tryAgain}
              </Button>
            )
          }
        >
          <p>{isMissing ? gone : reasonText(failure)}</p>
        </MessageScreen>
      )}
      {result?.ok && children(result.value)}
    </div>
  )
}

/**
 * Loads versions of a post by the viewer.
 *
 * @param key identifies the loaded data
 */
export function useOwnVersions<Value>(key: string, load: (api: Api) => Promise<Result<Value>>) {
  const userId = useViewer().userData?.$id ?? ''
  // The server only checks that the versions exist, so its success contains no data.
  const initial = useInitialData<Value>(userId)
  return useOwnerData(userId, { key, load, initial: initial?.ok ? undefined : initial })
}

// The texts about a version.

export function versionTime(version: Pick<PostVersion, '$updatedAt'>): string {
  return dayTimeText(version.$updatedAt)
}

/** "Autosaved, 21:31 to 21:40", or "Published, begun 12 May, 21:31" */
export function kindText({ kind, restoredFrom, $createdAt, $updatedAt }: PostVersion): string {
  const { versionKinds, versionKindTimes } = texts
  if (kind === 'restored' && restoredFrom)
    return versionKindTimes.restored(dayTimeText(restoredFrom, { isMidSentence: true }))
  if (kind === 'published' && $createdAt !== $updatedAt)
    return versionKindTimes.published(dayTimeText($createdAt, { isMidSentence: true }))
  const startTime = clockText($createdAt)
  const endTime = clockText($updatedAt)
  return kind === 'autosaved' && startTime !== endTime
    ? versionKindTimes.autosaved(startTime, endTime)
    : versionKinds[kind]
}

/** "270 words, autosaved" */
export function sideText({ words, kind }: PostVersion): string {
  const { comparing, wordCount, versionKinds } = texts
  return comparing.side(wordCount(words), versionKinds[kind].toLowerCase())
}

/**
 * Asks before an older version becomes the current text, and then restores it.
 *
 * @returns `ask` opens the dialog for a version; the page renders `dialog`
 */
export function useRestoreDialog(slug: string) {
  const api = useApi()
  const navigate = useNavigate()
  const toasts = useToasts()
  const { ask, dialog } = useConfirm()
  const { title, text, confirm, failed, done } = texts.restoring

  function askFor(version: PostVersion) {
    const time = versionTime(version)
    ask({
      title,
      text: text(time),
      confirmLabel: confirm,
      kind: 'primary',
      isWide: true,
      async onConfirm() {
        const restored = await restoreVersion(api, slug, version.$id)
        if (!restored.ok) return failed(reasonText(restored.failure))
        refreshInFeed(restored.value)
        await navigate(`/edit-post/${slug}`)
        toasts.show({ kind: 'ok', text: done(time) })
        return undefined
      },
    })
  }
  return { ask: askFor, dialog }
}
