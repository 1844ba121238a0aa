#include "base/quantity.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

struct Known {
  std::string_view text;
  std::string_view canonical;
};

// From apimachinery's resource.ParseQuantity and String.
constexpr Known kKnown[] = {
    {"0", "0"},
    {"1", "1"},
    {"1000m", "1"},
    {"0.5", "500m"},
    {"1Gi", "1Gi"},
    {"1024Mi", "1Gi"},
    {"1.5Gi", "1536Mi"},
    {"1.234", "1.234"},
    {"+5", "+5"},
    {"05", "05"},
    {"1e4", "10e3"},
    {"1e3", "1e3"},
    {"12E6", "12E6"},
    {"100m", "100m"},
    {"0.1", "100m"},
    {"1500m", "1500m"},
    {"1024", "1024"},
    {"1Ki", "1Ki"},
    {"1000Ki", "1000Ki"},
    {"0.5Ki", "512"},
    {"0.001Ki", "1024m"},
    {"9Ei", "9223372036854775807"},
    {"100Ei", "9223372036854775807"},
    {"1n", "1n"},
    {"0.1n", "1n"},
    {"-0.1n", "-1n"},
    {"1.0", "1"},
    {"2.50", "2500m"},
    {"1.000", "1"},
    {"250Mi", "250Mi"},
    {"512Mi", "512Mi"},
    {"1k", "1k"},
    {"1000k", "1M"},
    {"1u", "1u"},
    {"1e-3", "1e-3"},
    {"-1Gi", "-1Gi"},
    {"-1500m", "-1500m"},
    {"+1.5", "1500m"},
    {"1E", "1E"},
    {"1e0", "1e0"},
    {"00", "0"},
    {"0Ki", "0"},
    {"0m", "0"},
    {".5", "500m"},
    {"5.", "5."},
    {"1.G", "1.G"},
    {"00.500Ei", "512Pi"},
    {"0.123456789E-9", "1e-9"},
    {"100.25Ti", "102656Gi"},
    {"-00.500Ei", "-512Pi"},
    {"10.500Ei", "9223372036854775807"},
    {"100.123456789G", "100.123456789G"},
    {"-123456789012345678.000e3", "-123456789012345678e3"},
    {"7.25Ei", "7424Pi"},
    {"1.500E-9", "2e-9"},
    {"123456789.0001Ti", "9223372036854775807"},
    {"100.G", "100.G"},
    {"1.1234567891E6", "1123456789100e-6"},
    {"+512E", "+512E"},
    {"123456789012345678.500Gi", "9223372036854775807"},
    {"+3.500E", "+3.500E"},
    {"-512.1234567891M", "-512123456789100u"},
    {"+10.125Gi", "10368Mi"},
    {"-1000.125Ei", "-9223372036854775807"},
    {"+1.0001m", "1000100n"},
    {"100.1234567891e3", "100123456789100e-9"},
    {"0.5T", "500G"},
    {"-1Pi", "-1Pi"},
    {"123456789.5Ti", "9223372036854775807"},
    {"+10.5e3", "10500"},
    {"1024.n", "1024.n"},
    {"-1024.k", "-1024.k"},
    {"1000.0001Mi", "1048576104857600u"},
    {"-123456789.500Ki", "-126419752448"},
    {"1234567890123456789012.7T", "1234567890123456789012700G"},
    {"654021107297.125e3", "654021107297.125e3"},
    {"00.1234567891e3", "123456789100e-9"},
    {"+2048.5k", "2048500"},
    {".0001Ei", "115292150460684697600u"},
    {"1234567890123456789012.u", "1234567890123456789012u"},
    {"88347021187286510E6", "88347021187286510E6"},
    {"-123456789.1234567891E-9", "-123456790e-9"},
    {"+999999999999.25e3", "999999999999250"},
    {"-.0001P", "-100G"},
    {"1234567890123456789012.000E", "1234567890123456789012E"},
    {"-1024.1234567891M", "-1024123456789100u"},
    {"-00.0001M", "-100"},
    {"40986762456936069.125P", "40986762456936069125T"},
    {"-00.0001e3", "-100e-3"},
    {"+100.500Ei", "9223372036854775807"},
    {"1000.500Ki", "1024512"},
    {"1234567890123456789012.1234567891Pi", "9223372036854775807"},
    {"235402.92989161357k", "235402929891613570n"},
    {"-10.5m", "-10500u"},
    {"1000.000E-9", "1e-6"},
    {"100.123456789n", "101n"},
    {"100.96T", "100960G"},
    {"+287160912T", "+287160912T"},
    {".86047060G", "860470600"},
    {"0.123456789Ei", "142335986927810035071320064n"},
    {"123456789.123456789n", "123456790n"},
    {".3P", "300T"},
    {"-74218.1234567891n", "-74219n"},
    {"100.123456789e+2", "10012345678900e-9"},
    {"-0.1234567891Ki", "-126419752039n"},
    {"0.0001E6", "100"},
    {"-512.125Ti", "-524416Gi"},
    {"100.855u", "100.855u"},
    {"0.123456789n", "1n"},
    {"+66.500Ei", "9223372036854775807"},
    {"310209107569249077.123456789Ki", "9223372036854775807"},
    {"0.7506010Ti", "825294527320293376u"},
    {"512M", "512M"},
    {"+999999999999Ei", "9223372036854775807"},
    {"-1000.123456789e+2", "-100012345678900e-9"},
    {"+1234567890123456789012Mi", "9223372036854775807"},
    {"+100.1234567891m", "100123457n"},
    {".0001n", "1n"},
    {"00.m", "0"},
    {"1.500E6", "1.500E6"},
    {"1000.123456789T", "1000.123456789T"},
    {"00.2279", "227900u"},
    {".125Ti", "128Gi"},
    {"-1024T", "-1024T"},
    {"-1024.1234567891n", "-1025n"},
    {"123456789012345678Gi", "9223372036854775807"},
    {"100.1P", "100100T"},
    {"+123456789012345678.0001", "123456789012345678000100u"},
    {"0.125Ei", "128Pi"},
    {"100.e-3", "100.e-3"},
    {"-7.125E6", "-7.125E6"},
    {"-1.125Mi", "-1152Ki"},
    {"+999999999999.0001Pi", "9223372036854775807"},
    {".5Mi", "512Ki"},
    {"+2048.123456789m", "2048123457n"},
    {"100.41E6", "100410e3"},
};

TEST(Quantity, IsWrittenAsKubernetesWritesIt) {
  for (const Known& known : kKnown) {
    const auto quantity = Quantity::parse(known.text);
    ASSERT_TRUE(quantity) << known.text;
    EXPECT_EQ(quantity->canonical(), known.canonical) << known.text;
  }
}

TEST(Quantity, TheCanonicalFormMeansTheSame) {
  for (const Known& known : kKnown) {
    const auto quantity = Quantity::parse(known.text).value();
    const auto again = Quantity::parse(quantity.canonical()).value();
    EXPECT_EQ(again.compare(quantity), 0) << known.text;
  }
}

TEST(Quantity, RefusesWhatIsNone) {
  for (std::string_view text : {"", "x", "1x", "1 ", " 1", "1.2.3", "--1", "1-", "+", ".", "Gi",
                                "1Gi5", "1,5", "1e1.5", "0x10"}) {
    const auto quantity = Quantity::parse(text);
    ASSERT_FALSE(quantity) << text;
    EXPECT_EQ(quantity.error().code, ErrorCode::kInvalid);
  }
  EXPECT_EQ(Quantity::parse("one").error().message,
            "quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

TEST(Quantity, RefusesSuffixesThatMeanNothing) {
  for (std::string_view text :
       {"1K", "1mm", "1e", "1iK", "1e999999999999", "1e301", "1e-301", "1e-2147483648", "1ki"}) {
    const auto quantity = Quantity::parse(text);
    ASSERT_FALSE(quantity) << text;
    EXPECT_EQ(quantity.error().message, "unable to parse quantity's suffix");
  }
}

TEST(Quantity, AmountsBeyondTheLastSuffixKeepTheirDigits) {
  EXPECT_EQ(Quantity::parse("1000E")->canonical(), "1000E");
  EXPECT_EQ(Quantity::parse("1e300")->canonical(), "1e300");
  EXPECT_EQ(Quantity::parse("1" + std::string(500, '0')).has_value(), false);
}

TEST(Quantity, ComparesByAmount) {
  struct Case {
    std::string_view a;
    std::string_view b;
    int order;
  };
  for (const Case& c :
       {Case{"1", "1000m", 0}, Case{"1Gi", "1G", 1}, Case{"1", "2", -1}, Case{"10", "9", 1},
        Case{"-1", "1", -1}, Case{"-10", "-9", -1}, Case{"0", "-0", 0}, Case{"0", "1n", -1},
        Case{"0", "-1n", 1}, Case{"0.1n", "1n", 0}}) {
    EXPECT_EQ(Quantity::parse(c.a)->compare(*Quantity::parse(c.b)), c.order) << c.a << " " << c.b;
    EXPECT_EQ(Quantity::parse(c.b)->compare(*Quantity::parse(c.a)), -c.order) << c.a << " " << c.b;
  }
}

TEST(Quantity, HasAValueAndASign) {
  EXPECT_EQ(Quantity::parse("250m")->value(), 0.25);
  EXPECT_EQ(Quantity::parse("-1Ki")->value(), -1024);
  EXPECT_EQ(Quantity::parse("0")->value(), 0);
  EXPECT_EQ(Quantity::parse("1e300")->value(), 1e300);
  EXPECT_EQ(Quantity::parse("-1")->sign(), -1);
  EXPECT_EQ(Quantity::parse("0Gi")->sign(), 0);
  EXPECT_EQ(Quantity::parse("1n")->sign(), 1);
}

}  // namespace
}  // namespace slipway
