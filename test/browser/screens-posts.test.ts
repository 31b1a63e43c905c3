// Single posts in all their states, and the forms that write them.

import { auditScreens } from '#test/support/screen-audit.ts'
import { SCREEN_STATES } from '#test/support/screens/states.ts'

auditScreens(SCREEN_STATES.filter(({ name }) => name.startsWith('post')))
