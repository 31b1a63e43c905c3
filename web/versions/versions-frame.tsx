// Around the screens of versions: the way back, the title, and what stands there until the content
// has come.
import './versions-sheets.css'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { texts } from '../locales/texts.ts'
import { ForeignPost, PostNotFound } from '../reading/post-states.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { type Loaded, reasonText } from './use-own.ts'

type VersionsFrameProps<Value> = {
  title: string
  back: { path: string; label: string }
  found: Loaded<Value>
  loading: string
  /** What a 404 means here; without it, that the post is not there. */
  gone?: string
  onRetry: () => void
  children: (value: Value) => ReactNode
}

export function VersionsFrame<Value>({
  title,
  back,
  found,
  loading,
  gone,
  onRetry,
  children,
}: VersionsFrameProps<Value>) {
  const isMissing = found.state === 'failed' && [400, 404].includes(found.failure.code)
  if (isMissing && !gone) return <PostNotFound />
  if (found.state === 'failed' && found.failure.code === 403) return <ForeignPost />
  return (
    <div className="narrow-page">
      <PageTitle screen={title} />
      <Link className={`${buttonClass('ghost')} narrow-page__back`} to={back.path}>
        <ArrowLeft className="icon flip-in-rtl" aria-hidden="true" />
        {back.label}
      </Link>
      <h1>{title}</h1>
      {found.state === 'pending' && <LoadingText>{loading}</LoadingText>}
      {found.state === 'failed' && (
        <MessageScreen
          art="off"
          title={texts.failures.titleAgain}
          titleLevel={2}
          isCalm
          isAlert
          actions={
            !isMissing && (
              <Button kind="primary" onClick={onRetry}>
                {texts.actions.tryAgain}
              </Button>
            )
          }
        >
          <p>{isMissing ? gone : reasonText(found.failure)}</p>
        </MessageScreen>
      )}
      {found.state === 'there' && children(found.value)}
    </div>
  )
}
