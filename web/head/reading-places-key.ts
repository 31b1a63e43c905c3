/** The key under which the device stores where somebody stopped reading (reading-aids.ts). */
export const READING_PLACES_KEY = 'reading-places'
