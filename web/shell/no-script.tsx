// What a page says to browsers that run no scripts. It is in the page for all of them, and shown to
// those alone.
import { Link } from 'react-router'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { MessageScreen } from '../ui/message-screen.tsx'

const { title, text } = texts.noScript

/** @param props `isPart`: the page can be read, only what can be pressed needs scripts */
export function NoScript({ isPart }: { isPart: boolean }) {
  return (
    <noscript>
      {isPart ? (
        <Alert kind="warn">
          <b>{title}</b> {text}
        </Alert>
      ) : (
        <MessageScreen
          art="lit"
          title={title}
          actions={
            <Link className={buttonClass('secondary')} to="/post">
              {texts.places.allPosts}
            </Link>
          }
        >
          <p>{text}</p>
        </MessageScreen>
      )}
    </noscript>
  )
}
