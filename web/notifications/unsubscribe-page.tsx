// /notifications/unsubscribe: the target of the link in notification mails. Opening it changes
// nothing, because mail programs open links, too. Submitting its plain form does, also without
// scripts.
import { useSearchParams } from 'react-router'
import { texts } from '../locales/texts.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { MessageScreen } from '../ui/screens.tsx'

const words = texts.unsubscribe

export function UnsubscribePage() {
  const [query] = useSearchParams()
  const secret = query.get('secret')
  const kind = query.get('done')
  const doneText = new Map<string | null, string>(Object.entries(words.done)).get(kind)
  const settings = <ButtonLink to="/settings/notifications">{words.screen}</ButtonLink>
  if (!secret)
    return (
      <MessageScreen
        screen={words.screen}
        art={doneText ? 'lit' : 'off'}
        title={doneText ?? words.invalid}
        hasSmallTitle
        actions={settings}
      >
        {!doneText && <p>{words.invalidText}</p>}
      </MessageScreen>
    )
  return (
    <MessageScreen screen={words.screen} art="lit" title={words.question} actions={settings}>
      <p>{words.questionText}</p>
      <form
        method="post"
        action={`/v1/notifications/unsubscribe?secret=${encodeURIComponent(secret)}`}
      >
        <input type="hidden" name="page" value="1" />
        <Button kind="primary" type="submit">
          {words.stop}
        </Button>
      </form>
    </MessageScreen>
  )
}
