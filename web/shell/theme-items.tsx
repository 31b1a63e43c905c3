// The three themes as items of a menu.
import { Check, Monitor, Moon, Sun } from 'lucide-react'
import { THEMES } from '../head/stored-choices.ts'
import { texts } from '../locales/texts.ts'
import { useChangeDeviceChoices, useTheme } from './use-device-choices.ts'

const ICONS = { dark: Moon, light: Sun, system: Monitor }

export function ThemeItems() {
  const now = useTheme()
  const { chooseTheme } = useChangeDeviceChoices()
  return THEMES.map((theme) => {
    const Icon = ICONS[theme]
    return (
      <button
        key={theme}
        type="button"
        role="menuitemradio"
        aria-checked={theme === now}
        tabIndex={-1}
        onClick={() => chooseTheme(theme)}
      >
        <Icon className="icon" aria-hidden="true" />
        {texts.theme[theme]}
        <Check className="icon icon--small menu__check" aria-hidden="true" />
      </button>
    )
  })
}
