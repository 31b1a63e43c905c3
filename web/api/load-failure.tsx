// Stands in for content that could not be loaded: says why, and retries when the user presses the
// button or the browser is online again.
import { RotateCw } from 'lucide-react'
import type { Ref } from 'react'
import { texts } from '../locales/texts.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { LoadingText, MessageScreen } from '../ui/screens.tsx'
import { useIsOnline, useWhenOnline } from '../ui/use-online.ts'

type LoadFailureProps = {
  text: string
  /** The page has its own title above this. */
  isInline?: boolean
  /** @param isPressed the user pressed the button */
  onRetry: (isPressed: boolean) => void
  /** A retry is running. */
  isBusy?: boolean
  button?: Ref<HTMLButtonElement>
}

export function LoadFailure(props: LoadFailureProps) {
  const { text, isInline = false, onRetry, isBusy = false, button } = props
  const isOnline = useIsOnline()
  useWhenOnline(() => {
    if (!isBusy) onRetry(false)
  })
  const titleLevel = isInline ? 2 : 1
  if (!isOnline)
    return (
      <MessageScreen
        screen={isInline ? undefined : texts.offline.title}
        art="off"
        title={texts.offline.title}
        titleLevel={titleLevel}
        status={<LoadingText isImmediate>{texts.offline.waiting}</LoadingText>}
        actions={<ButtonLink to="/post">{texts.places.allPosts}</ButtonLink>}
      >
        <p>{texts.offline.text}</p>
      </MessageScreen>
    )
  return (
    <MessageScreen
      screen={isInline ? undefined : texts.failures.title}
      art="off"
      title={isInline ? texts.failures.titleAgain : texts.failures.title}
      titleLevel={titleLevel}
      hasSmallTitle={isInline}
      isAlert
      actions={
        <Button
          ref={button}
          kind="primary"
          isBusy={isBusy}
          busyLabel={texts.loading.page}
          onClick={() => onRetry(true)}
          Icon={RotateCw}
        >
          {texts.actions.tryAgain}
        </Button>
      }
    >
      <p>{text}</p>
    </MessageScreen>
  )
}
