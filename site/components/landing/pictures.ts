import driveDark from '../../assets/landing/drive-dark.avif';
import driveDarkSmall from '../../assets/landing/drive-dark-small.avif';
import driveLight from '../../assets/landing/drive-light.avif';
import driveLightSmall from '../../assets/landing/drive-light-small.avif';
import phoneDark from '../../assets/landing/phone-dark.avif';
import phoneDarkSmall from '../../assets/landing/phone-dark-small.avif';
import phoneLight from '../../assets/landing/phone-light.avif';
import phoneLightSmall from '../../assets/landing/phone-light-small.avif';
import preview from '../../assets/landing/preview.avif';
import previewSmall from '../../assets/landing/preview-small.avif';
import searchDark from '../../assets/landing/search-dark.avif';
import searchDarkSmall from '../../assets/landing/search-dark-small.avif';
import searchLight from '../../assets/landing/search-light.avif';
import searchLightSmall from '../../assets/landing/search-light-small.avif';

/** Screenshots of the product, made by e2e/screenshots.ts. */
export const PICTURES = {
  drive: {
    light: { large: driveLight, small: driveLightSmall },
    dark: { large: driveDark, small: driveDarkSmall },
  },
  phone: {
    light: { large: phoneLight, small: phoneLightSmall },
    dark: { large: phoneDark, small: phoneDarkSmall },
  },
  search: {
    light: { large: searchLight, small: searchLightSmall },
    dark: { large: searchDark, small: searchDarkSmall },
  },
  preview: { light: { large: preview, small: previewSmall } },
};
