// Above a form whose session has ended: the text stays, and signing in leads back to it.
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'

const { strip, kept, goOn } = texts.sessionEnded

export function SignedOutNotice({ onSignIn }: { onSignIn: () => void }) {
  return (
    <div role="alert">
      <Alert kind="warn">
        <b>{strip}</b> {kept}{' '}
        <Button className="btn--in-text" onClick={onSignIn}>
          {goOn}
        </Button>
      </Alert>
    </div>
  )
}
