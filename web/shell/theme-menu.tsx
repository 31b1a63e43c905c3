// The theme button of the header. The style sheet decides which icon is shown, so it is right
// before hydration.
import { Monitor, Moon, Sun } from 'lucide-react'
import { texts } from '../locales/texts.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Menu } from '../ui/menu.tsx'
import { ThemeItems } from './theme-items.tsx'

export function ThemeMenu() {
  return (
    <Menu
      label={texts.theme.label}
      className="wide-only"
      buttonClass={buttonClass('ghost', 'btn--icon')}
      button={
        <>
          <Moon className="icon theme-icon theme-icon--moon" aria-hidden="true" />
          <Sun className="icon theme-icon theme-icon--sun" aria-hidden="true" />
          <Monitor className="icon theme-icon theme-icon--monitor" aria-hidden="true" />
        </>
      }
    >
      <ThemeItems />
    </Menu>
  )
}
